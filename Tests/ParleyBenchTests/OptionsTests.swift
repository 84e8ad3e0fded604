import Glibc
import SMP
import Testing

@testable import ParleyBench

@Suite(.timeLimit(.minutes(5))) struct OptionsTests {
    private static let hash = String(repeating: "A", count: 43) + "="

    private func plan(_ arguments: String...) throws -> LoadPlan { try RelayCommand.parse(arguments).plan }

    @Test func `a plan follows the options`() throws {
        #expect(try plan() == LoadPlan())
        let wanted = LoadPlan(connections: [2, 3], seconds: 0.5, queues: 700, stored: 900)
        #expect(try plan("--connections", "2,3", "--seconds", "0.5", "--queues", "700", "--stored", "900") == wanted)
        #expect(try plan("--queues", "700").stored == 700)
        #expect(try plan("--quick") == .quick)
        #expect(try plan("--quick", "--connections", "5").connections == [5])
    }

    @Test(arguments: [
        ["--seconds", "0"], ["--seconds", "1000"], ["--queues", "0"], ["--queues", "100001"], ["--stored", "1000001"],
        ["--stored", "5"], ["--connections", ""], ["--connections", "1,"], ["--connections", "0"],
        ["--connections", "6000"], ["--connections", "1,1,1,1,1,1,1,1,1"], ["--only-target"], ["--target", "nonsense"],
        ["--target-pid", "4"], ["--nonsense"],
    ])
    func `refuses loads out of bounds`(arguments: [String]) {
        #expect(throws: (any Error).self) { try RelayCommand.parse(arguments) }
    }

    @Test(arguments: ["127.0.0.1", "localhost", "127.5.0.1"])
    func `takes targets on this machine`(host: String) throws {
        #expect(try RelayCommand.parse(["--target", "smp://\(Self.hash)@\(host):1"]).target.count == 1)
    }

    @Test(arguments: ["192.0.2.1", "relay.example", "127.example.org", "localhost.example", "localhost,192.0.2.1"])
    func `takes others only when allowed`(host: String) throws {
        let target = "smp://\(Self.hash)@\(host):1"
        #expect(throws: (any Error).self) { try RelayCommand.parse(["--target", target]) }
        #expect(try RelayCommand.parse(["--target", target, "--allow-remote"]).target.count == 1)
    }
}

@Suite(.timeLimit(.minutes(5))) struct ProcessStatisticsTests {
    @Test func `reads processor time and memory`() {
        let stat = "42 (a (odd) name) S 1 42 42 0 -1 4194560 100 0 0 0 250 50 0 0 20 0 3 0 100 1000 10"
        let status = "Name:\tx\nVmRSS:\t    2048 kB\nThreads:\t3\n"
        let found = ProcessStatistics.parse(stat: stat, status: status, ticksPerSecond: 100)
        #expect(found == ProcessStatistics(processorSeconds: 3, residentBytes: 2_097_152))
    }

    @Test func `knows nothing of malformed files`() {
        #expect(ProcessStatistics.parse(stat: "", status: "", ticksPerSecond: 100) == nil)
        #expect(ProcessStatistics.parse(stat: "1 (x) S 1", status: "VmRSS: 1 kB", ticksPerSecond: 100) == nil)
    }

    @Test func `reads this process`() throws {
        let found = try #require(ProcessStatistics.read(process: getpid()))
        #expect(found.residentBytes > 0)
    }
}
