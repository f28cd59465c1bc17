// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice What a hook of ERC-8183 implements ("IACPHook" in the standard's text).
interface IJobHook {
    function beforeAction(uint256 jobId, bytes4 selector, bytes calldata data) external;
    function afterAction(uint256 jobId, bytes4 selector, bytes calldata data) external;
}

/// @notice What all generations of ERC-8183 have in common: jobs with an evaluator who alone ends what was submitted.
/// Written for these tests from the text of the standard (Draft, ethereum/ERCs `ERCS/erc-8183.md`); it keeps money
/// safely enough for them and no further.
///
/// @dev The text fixes the states, who may do what, and when a refund may be claimed. It names the events without
/// saying what is indexed, and no getter: events and the head of `getJob`'s struct follow the reference,
/// erc-8183/base-contracts, whose contracts of March (A) and April (B) 2026 agree in them up to `hook`.
abstract contract Erc8183Core {
    enum JobStatus {
        Open,
        Funded,
        Submitted,
        Completed,
        Rejected,
        Expired
    }

    struct Job {
        uint256 id;
        address client;
        address provider;
        address evaluator;
        string description;
        uint256 budget;
        uint256 expiredAt;
        JobStatus status;
        address hook;
        IERC20 paymentToken;
    }

    event ProviderSet(uint256 indexed jobId, address indexed provider);
    event JobFunded(uint256 indexed jobId, address indexed client, uint256 amount);
    event JobSubmitted(uint256 indexed jobId, address indexed provider, bytes32 deliverable);
    event JobCompleted(uint256 indexed jobId, address indexed evaluator, bytes32 reason);
    event JobRejected(uint256 indexed jobId, address indexed rejector, bytes32 reason);
    event JobExpired(uint256 indexed jobId);

    error InvalidJob(uint256 jobId);
    error InvalidExpiry(uint256 expiredAt);
    error ZeroEvaluator();
    error WrongStatus(JobStatus status);
    error Unauthorized(address caller);
    error ProviderNotSet();
    error BudgetMismatch(uint256 budget);
    error NotExpired(uint256 expiredAt);

    mapping(uint256 jobId => Job job) public jobs;
    uint256 public jobCount;

    function getJob(uint256 jobId) external view returns (Job memory) {
        return _job(jobId);
    }

    function submit(uint256 jobId, bytes32 deliverable, bytes calldata optParams) external {
        Job storage job = _job(jobId);
        if (msg.sender != job.provider) revert Unauthorized(msg.sender);
        if (job.status != JobStatus.Funded && !_takesUnfunded(job)) revert WrongStatus(job.status);
        bytes memory data = abi.encode(deliverable, optParams);
        _before(job, data);
        job.status = JobStatus.Submitted;
        emit JobSubmitted(jobId, msg.sender, deliverable);
        _after(job, data);
    }

    function complete(uint256 jobId, bytes32 reason, bytes calldata optParams) external {
        Job storage job = _job(jobId);
        if (msg.sender != job.evaluator) revert Unauthorized(msg.sender);
        if (job.status != JobStatus.Submitted) revert WrongStatus(job.status);
        bytes memory data = abi.encode(reason, optParams);
        _before(job, data);
        job.status = JobStatus.Completed;
        _pay(job, job.provider);
        emit JobCompleted(jobId, msg.sender, reason);
        _after(job, data);
    }

    function reject(uint256 jobId, bytes32 reason, bytes calldata optParams) external {
        Job storage job = _job(jobId);
        bool open = job.status == JobStatus.Open && msg.sender == job.client;
        bool held =
            (job.status == JobStatus.Funded || job.status == JobStatus.Submitted) && msg.sender == job.evaluator;
        if (!open && !held) revert WrongStatus(job.status);
        bytes memory data = abi.encode(reason, optParams);
        _before(job, data);
        job.status = JobStatus.Rejected;
        if (held) _pay(job, job.client);
        emit JobRejected(jobId, msg.sender, reason);
        _after(job, data);
    }

    function claimRefund(uint256 jobId) external {
        Job storage job = _job(jobId);
        if (job.status != JobStatus.Funded && job.status != JobStatus.Submitted) revert WrongStatus(job.status);
        if (block.timestamp < job.expiredAt) revert NotExpired(job.expiredAt);
        job.status = JobStatus.Expired;
        _pay(job, job.client);
        emit JobExpired(jobId);
    }

    function _create(
        address provider,
        address evaluator,
        uint256 expiredAt,
        string calldata description,
        address hook
    ) internal returns (uint256 jobId) {
        if (evaluator == address(0)) revert ZeroEvaluator();
        if (expiredAt <= block.timestamp) revert InvalidExpiry(expiredAt);
        jobId = ++jobCount;
        Job storage job = jobs[jobId];
        job.id = jobId;
        job.client = msg.sender;
        job.provider = provider;
        job.evaluator = evaluator;
        job.description = description;
        job.expiredAt = expiredAt;
        job.hook = hook;
    }

    function _setProvider(uint256 jobId, address provider) internal {
        Job storage job = _job(jobId);
        if (msg.sender != job.client) revert Unauthorized(msg.sender);
        if (job.status != JobStatus.Open || job.provider != address(0)) revert WrongStatus(job.status);
        job.provider = provider;
        emit ProviderSet(jobId, provider);
    }

    function _setBudget(uint256 jobId, IERC20 token, uint256 amount) internal {
        Job storage job = _job(jobId);
        if (msg.sender != job.client && msg.sender != job.provider) revert Unauthorized(msg.sender);
        if (job.status != JobStatus.Open) revert WrongStatus(job.status);
        job.paymentToken = token;
        job.budget = amount;
    }

    function _fund(uint256 jobId, uint256 expectedBudget) internal {
        Job storage job = _job(jobId);
        if (msg.sender != job.client) revert Unauthorized(msg.sender);
        if (job.status != JobStatus.Open) revert WrongStatus(job.status);
        if (job.provider == address(0)) revert ProviderNotSet();
        if (job.budget != expectedBudget) revert BudgetMismatch(job.budget);
        job.status = JobStatus.Funded;
        if (job.budget > 0) job.paymentToken.transferFrom(msg.sender, address(this), job.budget);
        emit JobFunded(jobId, msg.sender, job.budget);
    }

    /// @dev Whether work is taken for a job that nobody paid into.
    function _takesUnfunded(Job storage) internal view virtual returns (bool) {
        return false;
    }

    function _job(uint256 jobId) internal view returns (Job storage job) {
        job = jobs[jobId];
        if (job.id == 0) revert InvalidJob(jobId);
    }

    function _pay(Job storage job, address payee) private {
        if (job.budget > 0) job.paymentToken.transfer(payee, job.budget);
    }

    function _before(Job storage job, bytes memory data) private {
        if (job.hook != address(0)) IJobHook(job.hook).beforeAction(job.id, msg.sig, data);
    }

    function _after(Job storage job, bytes memory data) private {
        if (job.hook != address(0)) IJobHook(job.hook).afterAction(job.id, msg.sig, data);
    }
}

/// @notice Generation A, the draft: one token, `createJob` with a hook, `fund` with the expected budget.
contract Erc8183GenerationA is Erc8183Core {
    IERC20 private immutable _token;

    event JobCreated(
        uint256 indexed jobId,
        address indexed client,
        address indexed provider,
        address evaluator,
        uint256 expiredAt,
        address hook
    );
    event BudgetSet(uint256 indexed jobId, uint256 amount);

    constructor(IERC20 token) {
        _token = token;
    }

    function createJob(
        address provider,
        address evaluator,
        uint256 expiredAt,
        string calldata description,
        address hook
    ) external returns (uint256 jobId) {
        jobId = _create(provider, evaluator, expiredAt, description, hook);
        emit JobCreated(jobId, msg.sender, provider, evaluator, expiredAt, hook);
    }

    function setProvider(uint256 jobId, address provider, bytes calldata) external {
        _setProvider(jobId, provider);
    }

    function setBudget(uint256 jobId, uint256 amount, bytes calldata) external {
        _setBudget(jobId, _token, amount);
        emit BudgetSet(jobId, amount);
    }

    function fund(uint256 jobId, uint256 expectedBudget, bytes calldata) external {
        _fund(jobId, expectedBudget);
    }
}

/// @notice Generation B: `createJob` names the provider's agent, the token is set with the budget, and a job without a
/// budget can be submitted without having been funded.
contract Erc8183GenerationB is Erc8183Core {
    event JobCreated(
        uint256 indexed jobId,
        address indexed client,
        address indexed provider,
        address evaluator,
        uint256 expiredAt,
        address hook
    );
    event BudgetSet(uint256 indexed jobId, address indexed token, uint256 amount);

    function createJob(
        address provider,
        address evaluator,
        uint256 expiredAt,
        string calldata description,
        address hook,
        uint256
    ) external returns (uint256 jobId) {
        jobId = _create(provider, evaluator, expiredAt, description, hook);
        emit JobCreated(jobId, msg.sender, provider, evaluator, expiredAt, hook);
    }

    function setBudget(uint256 jobId, IERC20 token, uint256 amount, bytes calldata) external {
        _setBudget(jobId, token, amount);
        emit BudgetSet(jobId, address(token), amount);
    }

    function fund(uint256 jobId, uint256 expectedBudget, bytes calldata) external {
        _fund(jobId, expectedBudget);
    }

    function _takesUnfunded(Job storage job) internal view override returns (bool) {
        return job.status == JobStatus.Open && job.budget == 0;
    }
}

/// @notice Generation C: a 48-bit expiry, `createJob` with the provider's agent, and `fund` that names the token.
contract Erc8183GenerationC is Erc8183Core {
    event JobCreated(
        uint256 indexed jobId,
        address indexed client,
        address indexed provider,
        address evaluator,
        uint48 expiredAt,
        address hook
    );

    function createJob(
        address provider,
        address evaluator,
        uint48 expiredAt,
        string calldata description,
        address hook,
        uint256
    ) external returns (uint256 jobId) {
        jobId = _create(provider, evaluator, expiredAt, description, hook);
        emit JobCreated(jobId, msg.sender, provider, evaluator, expiredAt, hook);
    }

    function setBudget(uint256 jobId, IERC20 token, uint256 amount, bytes calldata) external {
        _setBudget(jobId, token, amount);
    }

    function fund(uint256 jobId, IERC20 expectedToken, uint256 expectedBudget, bytes calldata) external {
        if (address(jobs[jobId].paymentToken) != address(expectedToken)) revert BudgetMismatch(jobs[jobId].budget);
        _fund(jobId, expectedBudget);
    }
}

/// @notice A hook whose owner decides what it does to the end of a job.
contract MoodyHook is IJobHook {
    enum Mood {
        Quiet,
        Refusing,
        Gluttonous
    }

    error NotToday();

    Mood public mood;
    uint256 private _waste;

    function setMood(Mood mood_) external {
        mood = mood_;
    }

    function beforeAction(uint256, bytes4, bytes calldata) external {
        if (mood == Mood.Refusing) revert NotToday();
        if (mood == Mood.Gluttonous)
            for (uint256 i; i < 600; ++i) _waste = uint256(keccak256(abi.encode(_waste, gasleft())));
    }

    function afterAction(uint256, bytes4, bytes calldata) external {}
}
