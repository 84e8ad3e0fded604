/// A suite whose tests start programs or open windows, with the trait ``WindowsTrait``.
class ProgramSuite {
    private let end: TestEnd

    init() throws {
        GLibWarnings.listen()
        end = try TestEnd.ofThisTest()
        end.keep(self)
    }

    /// Does not count a library's warning with these words as a failure of this test, because of the way in which the test does things.
    func letPass(_ words: String) { end.letPass(words) }

    /// Has something done when the test is over, whatever became of it; what is added last is done first.
    func atEnd(_ block: @escaping () throws -> Void) { end.add(block) }
}
