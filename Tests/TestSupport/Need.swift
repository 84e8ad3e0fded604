import Foundation
import Testing

/// What a test or suite needs of the machine. Without it the test is skipped, and noted in ``SkippedTests``.
///
/// Not for what a test makes itself: a test that is skipped is no test.
public struct Need: TestTrait, SuiteTrait {
    fileprivate let obstacle: @Sendable () -> String?
    fileprivate let canBeHadEverywhere: Bool
    public let isRecursive = true

    public func prepare(for test: Test) async throws {
        guard let obstacle = obstacle() else { return }
        if canBeHadEverywhere, SkippedTests.areFailures, !SkippedTests.isAbsentHere(obstacle) {
            throw Missing(description: obstacle)
        }
        if !test.isSuite { SkippedTests.note("\(test.id)", obstacle) }
        try await ConditionTrait.disabled(Comment(rawValue: obstacle)).prepare(for: test)
    }
}

extension SkippedTests {
    /// Skips the test that runs, because something is missing that every machine can have and that only the test finds out.
    ///
    /// Throws ``Missing`` with `CI=true`, which is a failure.
    public static func skip(needing obstacle: String) throws -> Never {
        if areFailures, !isAbsentHere(obstacle) { throw Missing(description: obstacle) }
        if let test = Test.current { note("\(test.id)", obstacle) }
        try Test.cancel(Comment(rawValue: obstacle))
    }
}

extension Trait where Self == Need {
    /// A program or a right that every machine can have: that it is missing here is what `obstacle` says, nil when it is not.
    /// With `CI=true` a missing one is a failure, unless this release of the system has not got it.
    public static func needs(_ obstacle: @escaping @autoclosure @Sendable () -> String?) -> Self {
        Need(obstacle: obstacle, canBeHadEverywhere: true)
    }

    /// Something about the machine itself, such as its network; `reason` is why the test means nothing without.
    public static func onlyWhere(_ isSo: @escaping @autoclosure @Sendable () -> Bool, _ reason: String) -> Self {
        Need(obstacle: { isSo() ? nil : reason }, canBeHadEverywhere: false)
    }
}
