import Testing

/// The program's command line.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class CommandLineTests: ProgramSuite {
    @Test func `a mistake is one sentence and the usage`() throws {
        let parley = try RunningProgram(["--nonsense"])
        #expect(parley.exitStatus() == 2)
        #expect(parley.output.hasPrefix("--nonsense is not something parley understands.\nUsage: parley"))
    }

    @Test func `the program that people use pretends nothing`() throws {
        for option in ["--fake-calls", "--pause", "--calls-wait"] {
            let parley = try RunningProgram([option])
            #expect(parley.exitStatus() == 2)
            #expect(parley.output.hasPrefix("\(option) is not something parley understands.\n"))
        }
    }

    @Test func `help is not a mistake`() throws {
        let parley = try RunningProgram(["--help"])
        #expect(parley.exitStatus() == 0)
        #expect(parley.output.hasPrefix("Usage: parley"))
    }
}
