/// A suite whose tests start programs or open windows, with the trait ``WindowsTrait``.
class ProgramSuite {
    private let end: TestEnd

    init() throws {
        end = try TestEnd.ofThisTest()
        end.keep(self)
    }

    /// Has something done when the test is over, whatever became of it; what is added last is done first.
    func atEnd(_ block: @escaping () throws -> Void) { end.add(block) }
}
