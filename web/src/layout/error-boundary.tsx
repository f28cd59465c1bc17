import { Component, type ReactNode } from "react";
import { Failure } from "../components/failure.tsx";

/** Catches what a part of the page throws, says so, and lets the rest stand. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    return (
      <Failure
        error={this.state.error}
        what="This part of the page"
        onRetry={() => this.setState({ error: null })}
      />
    );
  }
}
