import Testing

/// What every test keeps to, so that one that fails is the only one, and what all code does.
@Suite(.timeLimit(.minutes(5))) struct ConventionTests {
    @Test func `every test has a limit of time`() throws {
        let sources = try TestSource.all()
        let limited = sources.reduce(into: Set<String>()) { $0.formUnion($1.limitedTypes) }
        #expect(sources.flatMap { $0.unlimitedTests(limited) } == [])
        #expect(limited.count > 100)
    }

    @Test func `every test has a sentence as its name`() throws {
        let sources = try TestSource.all().filter { $0.name != "SetupTests/ConventionTests.swift" }
        #expect(sources.flatMap(\.unnamedTests) == [])
    }

    @Test func `a name of one word is no sentence, and neither is one beside the name`() {
        let source = TestSource(
            name: "A",
            text: """
                @Test func `what comes is read`() {}
                @Test func whatComesIsRead() {}
                @Test("What comes is read") func read() {}
                @Test("What comes is read")
                func read() {}
                @Test(
                    arguments: [1])
                func `what comes is read`(_ count: Int) {}
                @Test func `reads`() {}
                """)
        #expect(source.unnamedTests == ["A:2", "A:3", "A:4", "A:9"])
    }

    /// TestSupport notes what is skipped, and knows when that is a failure. XCTest's tests would be skipped for good: nothing runs them.
    @Test func `tests are skipped by what notes it`() throws {
        let own = ["SetupTests/ConventionTests.swift", "TestSupport/Need.swift"]
        let sources = try TestSource.all().filter { !own.contains($0.name) }
        let skipping = [".enabled(if", ".disabled(", "Test.cancel(", "import XCTest"]
        #expect(sources.flatMap { $0.lines(with: skipping) } == [])
    }

    @Test func `no lock is one that is handed on to who has waited longest`() throws {
        #expect(try TestSource.all(in: "Sources").flatMap { $0.lines(with: ["Mutex<", "Mutex("]) } == [])
        #expect(try TestSource.all(in: "Sources").flatMap { $0.lines(with: ["Lock<", "Lock("]) }.count > 100)
    }

    @Test func `a test finds its limit at itself, at its type and at the type around that`() {
        let source = TestSource(
            name: "A",
            text: """
                @Suite(
                    .serialized,
                    .timeLimit(.minutes(5)))
                struct Long {
                    @Test func `one`() {}
                    struct Inner {
                        @Test func `two`() {}
                    }
                }

                @Suite struct Short {
                    @Test(
                        .timeLimit(.minutes(5)))
                    func `three`() {}
                    @Test func `four`() {}
                }

                extension Far {
                    struct Inner {
                        @Test func `five`() {}
                    }
                }

                @Test func `six`() {}
                """)
        #expect(source.limitedTypes == ["Long"])
        #expect(source.unlimitedTests([]) == ["A:15", "A:20", "A:24"])
        #expect(source.unlimitedTests(["Far"]) == ["A:15", "A:24"])
    }
}
