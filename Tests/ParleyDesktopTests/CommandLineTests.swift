import XCTest

/// The program's command line.
final class CommandLineTests: LimitedTestCase {
    func testAMistakeIsOneSentenceAndTheUsage() throws {
        let parley = try RunningProgram(["--nonsense"])
        XCTAssertEqual(parley.exitStatus(), 2)
        XCTAssertTrue(parley.output.hasPrefix("--nonsense is not something parley understands.\nUsage: parley"))
    }

    func testTheProgramThatPeopleUsePretendsNothing() throws {
        for option in ["--fake-calls", "--pause", "--calls-wait"] {
            let parley = try RunningProgram([option])
            XCTAssertEqual(parley.exitStatus(), 2)
            XCTAssertTrue(parley.output.hasPrefix("\(option) is not something parley understands.\n"))
        }
    }

    func testHelpIsNotAMistake() throws {
        let parley = try RunningProgram(["--help"])
        XCTAssertEqual(parley.exitStatus(), 0)
        XCTAssertTrue(parley.output.hasPrefix("Usage: parley"))
    }
}
