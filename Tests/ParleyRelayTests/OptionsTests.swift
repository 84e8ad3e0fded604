import SMP
import Testing

@testable import ParleyRelay
@testable import RelaySettings

@Suite(.timeLimit(.minutes(5))) struct OptionsTests {
    @Test(arguments: [
        ("127.0.0.1:5223", "127.0.0.1", 5223), ("localhost:0", "localhost", 0), ("[::1]:443", "::1", 443),
    ])
    func `reads host and port`(argument: String, host: String, port: Int) {
        #expect(ListenAddress(argument: argument) == ListenAddress(host: host, port: UInt16(port)))
    }

    @Test(arguments: ["", "localhost", ":5223", "host:", "host:70000", "::1:443", "host:-1"])
    func `refuses other listen addresses`(argument: String) {
        #expect(ListenAddress(argument: argument) == nil)
    }

    @Test(arguments: [("9-14", 9...14), ("9-17", 9...17), ("11", 11...11)])
    func `reads versions`(argument: String, range: ClosedRange<Int>) {
        let expected = SMPVersionRange(UInt16(range.lowerBound)...UInt16(range.upperBound))
        #expect(VersionsOption(argument: argument)?.range == expected)
    }

    @Test(arguments: ["", "14-9", "6-14", "9-18", "a-b", "9-", "9-10-11"])
    func `refuses other versions`(argument: String) {
        #expect(VersionsOption(argument: argument) == nil)
    }
}
