// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice What all generations of ERC-8183 have in common: jobs with an evaluator who alone ends what was submitted.
/// Written for these tests from the standard's text; it keeps money safely enough for them and no further.
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
        address client;
        address provider;
        address evaluator;
        IERC20 token;
        uint256 budget;
        uint256 expiredAt;
        JobStatus status;
    }

    event JobSubmitted(uint256 indexed jobId, address indexed provider, bytes32 deliverable);
    event JobCompleted(uint256 indexed jobId, address indexed evaluator, bytes32 reason);
    event JobRejected(uint256 indexed jobId, address indexed rejector, bytes32 reason);

    error WrongStatus(JobStatus status);
    error Unauthorized(address caller);

    mapping(uint256 jobId => Job job) public jobs;
    uint256 public jobCount;

    function submit(uint256 jobId, bytes32 deliverable, bytes calldata) external {
        Job storage job = jobs[jobId];
        if (msg.sender != job.provider) revert Unauthorized(msg.sender);
        if (job.status != JobStatus.Funded) revert WrongStatus(job.status);
        job.status = JobStatus.Submitted;
        emit JobSubmitted(jobId, msg.sender, deliverable);
    }

    function complete(uint256 jobId, bytes32 reason, bytes calldata) external {
        Job storage job = jobs[jobId];
        if (msg.sender != job.evaluator) revert Unauthorized(msg.sender);
        if (job.status != JobStatus.Submitted) revert WrongStatus(job.status);
        job.status = JobStatus.Completed;
        emit JobCompleted(jobId, msg.sender, reason);
        job.token.transfer(job.provider, job.budget);
    }

    function reject(uint256 jobId, bytes32 reason, bytes calldata) external {
        Job storage job = jobs[jobId];
        bool open = job.status == JobStatus.Open && msg.sender == job.client;
        bool held =
            (job.status == JobStatus.Funded || job.status == JobStatus.Submitted) && msg.sender == job.evaluator;
        if (!open && !held) revert WrongStatus(job.status);
        job.status = JobStatus.Rejected;
        emit JobRejected(jobId, msg.sender, reason);
        if (held) job.token.transfer(job.client, job.budget);
    }

    function _create(address provider, address evaluator, IERC20 token, uint256 expiredAt) internal returns (uint256) {
        jobs[++jobCount] = Job(msg.sender, provider, evaluator, token, 0, expiredAt, JobStatus.Open);
        return jobCount;
    }

    function _fund(uint256 jobId, uint256 budget) internal {
        Job storage job = jobs[jobId];
        if (msg.sender != job.client) revert Unauthorized(msg.sender);
        if (job.status != JobStatus.Open) revert WrongStatus(job.status);
        job.status = JobStatus.Funded;
        job.budget = budget;
        job.token.transferFrom(msg.sender, address(this), budget);
    }
}

/// @notice Generation A, the draft: one token, `createJob` with a hook, `fund` with the expected budget.
contract Erc8183GenerationA is Erc8183Core {
    IERC20 private immutable _token;

    constructor(IERC20 token) {
        _token = token;
    }

    function createJob(
        address provider,
        address evaluator,
        uint256 expiredAt,
        string calldata,
        address
    ) external returns (uint256) {
        return _create(provider, evaluator, _token, expiredAt);
    }

    function fund(uint256 jobId, uint256 expectedBudget, bytes calldata) external {
        _fund(jobId, expectedBudget);
    }
}

/// @notice Generation B: `createJob` names the provider's agent, the token is set with the budget.
contract Erc8183GenerationB is Erc8183Core {
    function createJob(
        address provider,
        address evaluator,
        uint256 expiredAt,
        string calldata,
        address,
        uint256
    ) external returns (uint256) {
        return _create(provider, evaluator, IERC20(address(0)), expiredAt);
    }

    function setBudget(uint256 jobId, IERC20 token, uint256 amount, bytes calldata) external {
        jobs[jobId].token = token;
        jobs[jobId].budget = amount;
    }

    function fund(uint256 jobId, uint256 expectedBudget, bytes calldata) external {
        _fund(jobId, expectedBudget);
    }
}

/// @notice Generation C: a 48-bit expiry, and `fund` that names the token.
contract Erc8183GenerationC is Erc8183Core {
    function createJob(
        address provider,
        address evaluator,
        uint48 expiredAt,
        string calldata,
        address,
        uint256
    ) external returns (uint256) {
        return _create(provider, evaluator, IERC20(address(0)), expiredAt);
    }

    function fund(uint256 jobId, address expectedToken, uint256 expectedBudget, bytes calldata) external {
        jobs[jobId].token = IERC20(expectedToken);
        _fund(jobId, expectedBudget);
    }
}
