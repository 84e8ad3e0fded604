import Foundation
import Media
import MediaRules
import SMP
import SMPSession
import Testing
import Wording

@testable import Parley

@Suite(.timeLimit(.minutes(5))) struct FindingTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test func `a clock that is kept is fine`() {
        let finding = Finding(clock: ClockCheck(now: now, installed: now - 1_000, keeping: .kept(error: 12)))
        #expect(finding.verdict == .ok)
        #expect(finding.sentence.contains("2027-01-15T08:00:00Z") && finding.sentence.contains("12 ms"))
        #expect(finding.advice == nil)
    }

    @Test func `a clock that nobody keeps is a warning with what to do`() {
        let finding = Finding(clock: ClockCheck(now: now, installed: nil, keeping: .loose))
        #expect(finding.verdict == .warning)
        #expect(finding.advice?.contains("automatic date and time") == true)
        #expect(Finding(clock: ClockCheck(now: now, installed: now, keeping: .unknown)).verdict == .warning)
    }

    @Test func `a clock before the program is a problem whoever keeps it`() {
        for keeping in [ClockCheck.Keeping.kept(error: 1), .loose, .unknown] {
            let early = ClockCheck(now: now, installed: now + 2 * 86_400, keeping: keeping)
            #expect(Finding(clock: early).verdict == .problem)
            let zone = ClockCheck(now: now, installed: now + 3_600, keeping: keeping)
            #expect(Finding(clock: zone).verdict != .problem)
        }
    }

    @Test func `the kernel is asked`() {
        let clock = ClockCheck.now()
        #expect(clock.installed != nil)
        #expect(abs(clock.now.timeIntervalSinceNow) < 60)
        // Whoever asks needs no right for it (adjtimex(2)).
        #expect(clock.keeping != .unknown)
    }

    @Test func `what is missing for a use is named with its package`() throws {
        let elements = NeededElement.all.filter { $0.use == .processing }
        let finding = try #require(Finding(missing: elements, for: .processing))
        #expect(finding.verdict == .warning && finding.subject == "processing")
        #expect(finding.sentence.contains("“webrtcdsp” and “webrtcechoprobe”"))
        #expect(finding.advice?.hasPrefix("Install ") == true)
        #expect(Finding(missing: [], for: .processing) == nil)
    }

    @Test func `each kind of device is a line`() {
        var devices = MediaDevices()
        devices.cameras = [MediaDevice(id: "a", name: "Red"), MediaDevice(id: "b", name: "Green")]
        #expect(Finding(devices, .camera).sentence == "The camera is “Red”; there are 2.")
        let none = Finding(devices, .speaker)
        #expect(none.verdict == .warning && none.sentence == "No speaker was found." && none.advice != nil)
    }

    @Test func `a server's answer says what worked`() {
        let answer = ServerTest.Answer(seen: "192.0.2.1:5", relayed: "198.51.100.7:6", milliseconds: 12)
        let finding = Finding(ICEServer(url: "turn:example.org"), answer)
        #expect(finding.verdict == .ok && finding.subject == "turn:example.org")
        #expect(finding.sentence == "It sees this machine at 192.0.2.1:5 and relays at 198.51.100.7:6 (12 ms).")
    }

    @Test func `an old relay is a warning and one that does not answer a problem`() {
        func finding(_ version: UInt16, _ answer: Result<BrokerMessage, RelayRequestError>) -> Finding {
            RelayCheck.finding(
                "smp://x", version: SMPVersion(rawValue: version), answer, connecting: .milliseconds(7),
                answering: .milliseconds(2))
        }
        #expect(finding(17, .success(.pong)).verdict == .ok)
        #expect(finding(17, .success(.pong)).sentence.contains("SMP 17 (connected in 7 ms, PING in 2 ms)"))
        #expect(finding(14, .success(.pong)).verdict == .warning)
        #expect(finding(17, .failure(.timeout)).verdict == .problem)
    }
}
