import BaseKit
import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct PeerMediaDetectorTests {
    @Test func `both sources begin as off and are on with their first frame`() {
        var detector = PeerMediaDetector()
        #expect(detector.update(audioFrames: 0, videoFrames: 0, now: at(0)) == nil)
        #expect(
            detector.update(audioFrames: 1, videoFrames: 0, now: at(100)) == PeerMedia(microphone: true, camera: false))
        #expect(
            detector.update(audioFrames: 2, videoFrames: 1, now: at(200)) == PeerMedia(microphone: true, camera: true))
    }

    @Test func `a source is off after three silent seconds, not before, and on again at once`() {
        var detector = PeerMediaDetector()
        _ = detector.update(audioFrames: 1, videoFrames: 1, now: at(0))
        #expect(detector.update(audioFrames: 9, videoFrames: 1, now: at(2_999)) == nil)
        #expect(
            detector.update(audioFrames: 10, videoFrames: 1, now: at(3_000))
                == PeerMedia(microphone: true, camera: false))
        #expect(detector.update(audioFrames: 11, videoFrames: 1, now: at(4_000)) == nil)
        #expect(
            detector.update(audioFrames: 12, videoFrames: 2, now: at(4_100))
                == PeerMedia(microphone: true, camera: true))
    }

    @Test func `the screen is told apart from the camera`() {
        var detector = PeerMediaDetector()
        #expect(
            detector.update(audioFrames: 0, videoFrames: 0, screenFrames: 1, now: at(0))
                == PeerMedia(microphone: false, camera: false, screen: true))
        #expect(
            detector.update(audioFrames: 0, videoFrames: 0, screenFrames: 1, now: at(3_000))
                == PeerMedia(microphone: false, camera: false))
    }
}

@Suite(.timeLimit(.minutes(5))) struct StillCameraTests {
    /// Feeds a detector with pictures at the given times and everything four times a second; gives when the state changed.
    private func changes(pictures: [Int], until end: Int, sendsScreenAsCamera: Bool = false) -> [(at: Int, isOn: Bool)]
    {
        var detector = PeerMediaDetector()
        detector.sendsScreenAsCamera = sendsScreenAsCamera
        return stride(from: 0, through: end, by: 250).compactMap { now in
            let count = pictures.count { $0 <= now }
            return detector.update(audioFrames: 0, videoFrames: count, now: at(now)).map { (now, $0.camera) }
        }
    }

    private let lively = Array(stride(from: 0, to: 4_000, by: 50))

    @Test func `a camera that only repeats its last picture is off, once`() {
        let repeated = Array(stride(from: 4_500, to: 20_000, by: 1_000))
        let changes = changes(pictures: lively + repeated, until: 20_000)
        #expect(changes.map(\.isOn) == [true, false])
        #expect((6_500...7_500).contains(changes.last?.at ?? 0))
    }

    @Test func `it is on again when it shows more than that`() {
        let repeated = Array(stride(from: 4_500, to: 10_000, by: 1_000))
        let again = Array(stride(from: 10_000, to: 14_000, by: 50))
        let changes = changes(pictures: lively + repeated + again, until: 14_000)
        #expect(changes.map(\.isOn) == [true, false, true])
        #expect((10_000...10_500).contains(changes.last?.at ?? 0))
    }

    @Test func `an older peer's still screen in the camera's place stays on`() {
        let repeated = Array(stride(from: 4_500, to: 20_000, by: 1_000))
        #expect(changes(pictures: lively + repeated, until: 20_000, sendsScreenAsCamera: true).map(\.isOn) == [true])
    }
}

@Suite(.timeLimit(.minutes(5))) struct LossWatchdogTests {
    @Test func `nothing is lost before the first packet`() {
        var watchdog = LossWatchdog()
        #expect(watchdog.update(packets: 0, now: at(0)) == nil)
        #expect(watchdog.update(packets: 0, now: at(60_000)) == nil)
    }

    @Test func `four seconds without a packet are a loss, told once`() {
        var watchdog = LossWatchdog()
        _ = watchdog.update(packets: 1, now: at(1_000))
        #expect(watchdog.update(packets: 1, now: at(4_999)) == nil)
        #expect(watchdog.update(packets: 1, now: at(5_000)) == .lost)
        #expect(watchdog.update(packets: 1, now: at(20_000)) == nil)
    }

    @Test func `the next packet after a loss is a recovery`() {
        var watchdog = LossWatchdog()
        _ = watchdog.update(packets: 1, now: at(0))
        _ = watchdog.update(packets: 1, now: at(5_000))
        #expect(watchdog.update(packets: 2, now: at(9_000)) == .recovered)
        #expect(watchdog.update(packets: 2, now: at(12_999)) == nil)
        #expect(watchdog.update(packets: 2, now: at(13_000)) == .lost)
    }
}

@Suite(.timeLimit(.minutes(5))) struct CandidateScheduleTests {
    static func candidate(_ number: Int) -> MediaCandidate {
        MediaCandidate(candidate: "candidate:\(number)", mid: "0", mLineIndex: 0)
    }

    @Test func `the first batch leaves shortly after gathering is complete`() {
        var schedule = CandidateSchedule(now: at(0))
        schedule.add(Self.candidate(1))
        #expect(schedule.poll(now: at(10)) == .wait(until: at(750)))
        schedule.gatheringCompleted(now: at(40))
        #expect(schedule.poll(now: at(40)) == .wait(until: at(45)))
        #expect(schedule.poll(now: at(45)) == .first([Self.candidate(1)]))
    }

    @Test func `completion without a candidate is not believed before the first delay is over`() {
        var schedule = CandidateSchedule(now: at(0))
        schedule.gatheringCompleted(now: at(5))
        #expect(schedule.poll(now: at(100)) == .wait(until: at(750)))
        schedule.add(Self.candidate(1))
        #expect(schedule.poll(now: at(101)) == .first([Self.candidate(1)]))
    }

    @Test func `without completion the first batch leaves after 750 ms, even empty`() {
        var schedule = CandidateSchedule(now: at(1_000))
        #expect(schedule.poll(now: at(1_749)) == .wait(until: at(1_750)))
        #expect(schedule.poll(now: at(1_750)) == .first([]))
    }

    @Test func `further batches leave 1500 ms apart and never empty`() {
        var schedule = CandidateSchedule(now: at(0))
        #expect(schedule.poll(now: at(750)) == .first([]))
        schedule.add(Self.candidate(1))
        #expect(schedule.poll(now: at(800)) == .wait(until: at(2_250)))
        schedule.add(Self.candidate(2))
        #expect(schedule.poll(now: at(2_250)) == .further([Self.candidate(1), Self.candidate(2)]))
        #expect(schedule.poll(now: at(3_750)) == .wait(until: at(5_250)))
    }

    @Test func `after twelve seconds the last batch leaves and all is done`() {
        var schedule = CandidateSchedule(now: at(0))
        _ = schedule.poll(now: at(750))
        schedule.add(Self.candidate(3))
        #expect(schedule.poll(now: at(12_000)) == .further([Self.candidate(3)]))
        #expect(schedule.poll(now: at(12_000)) == .done)
        #expect(schedule.poll(now: at(99_000)) == .done)
    }
}

@Suite(.timeLimit(.minutes(5))) struct KeyFrameRequestsTests {
    @Test func `delta frames wait for the first key frame`() {
        var requests = KeyFrameRequests()
        #expect(requests.accepted(isKeyFrame: false, now: at(0)) == .skip(request: true))
        #expect(requests.accepted(isKeyFrame: true, now: at(10)) == .decode)
        #expect(requests.accepted(isKeyFrame: false, now: at(20)) == .decode)
    }

    @Test func `after a dropped frame only a key frame is decoded`() {
        var requests = KeyFrameRequests()
        _ = requests.accepted(isKeyFrame: true, now: at(0))
        #expect(requests.dropped(now: at(1_000)) == true)
        #expect(requests.accepted(isKeyFrame: false, now: at(1_033)) == .skip(request: false))
        #expect(requests.accepted(isKeyFrame: true, now: at(1_066)) == .decode)
    }

    @Test func `requests keep their distance`() {
        var requests = KeyFrameRequests()
        #expect(requests.dropped(now: at(0)) == true)
        #expect(requests.dropped(now: at(0) + KeyFrameRequests.interval - .milliseconds(1)) == false)
        #expect(requests.dropped(now: at(0) + KeyFrameRequests.interval) == true)
    }
}

@Suite(.timeLimit(.minutes(5))) struct TimestampRebaseTests {
    @Test func `the first buffer is put at the present and the next keep their distance`() {
        var rebase = TimestampRebase()
        #expect(rebase.rebase(timestamp: 5_000, duration: 0, now: 9_000_000) == 9_000_000)
        #expect(rebase.rebase(timestamp: 38_000, duration: 0, now: 9_090_000) == 9_033_000)
    }

    @Test func `a source that begins again goes on at the present`() {
        var rebase = TimestampRebase()
        _ = rebase.rebase(timestamp: 0, duration: 0, now: 0)
        _ = rebase.rebase(timestamp: 900_000_000, duration: 0, now: 900_000_000)
        #expect(rebase.rebase(timestamp: 0, duration: 0, now: 1_000_000_000) == 1_000_000_000)
        #expect(rebase.rebase(timestamp: 33_000_000, duration: 0, now: 1_040_000_000) == 1_033_000_000)
    }

    @Test func `a new beginning never overlaps what was passed on`() {
        var rebase = TimestampRebase()
        _ = rebase.rebase(timestamp: 0, duration: 20_000_000, now: 100)
        #expect(rebase.rebase(timestamp: 900_000_000_000, duration: 20_000_000, now: 200) == 20_000_100)
    }

    @Test func `a frame keeps the time at which it was captured, however late it comes`() {
        var rebase = TimestampRebase()
        #expect(rebase.rebase(timestamp: 7, captured: 900_000_000, duration: 0, now: 1_000_000_000) == 900_000_000)
        #expect(rebase.rebase(timestamp: 8, captured: 933_000_000, duration: 0, now: 1_200_000_000) == 933_000_000)
    }

    @Test func `a time of capture that can't be is not believed, and what follows goes on from the present`() {
        var rebase = TimestampRebase()
        #expect(rebase.rebase(timestamp: 7, captured: 300_000_000, duration: 0, now: 1_000_000_000) == 1_000_000_000)
        #expect(rebase.rebase(timestamp: 33_000_007, captured: nil, duration: 0, now: 1_090_000_000) == 1_033_000_000)
        #expect(rebase.rebase(timestamp: 7, captured: 2_000_000_000, duration: 0, now: 1_500_000_000) == 1_500_000_000)
    }

    @Test func `frames stay in order where the next source captured before the last one`() {
        var rebase = TimestampRebase()
        _ = rebase.rebase(timestamp: 7, captured: 900_000_000, duration: 0, now: 1_000_000_000)
        #expect(rebase.rebase(timestamp: 0, captured: 890_000_000, duration: 0, now: 1_001_000_000) == 900_000_001)
    }

    @Test func `no timestamp of a source makes it trap`() {
        var rebase = TimestampRebase()
        for timestamp in [UInt64?.none, 0, .max, 1, .max - 1, UInt64(Int64.max)] {
            for captured in [Int64.min, -1, 0, .max] {
                _ = rebase.rebase(timestamp: timestamp, captured: captured, duration: .max, now: .max)
                _ = rebase.rebase(timestamp: timestamp, captured: captured, duration: 1, now: 0)
            }
            _ = rebase.rebase(timestamp: timestamp, duration: .max, now: .max)
            _ = rebase.rebase(timestamp: timestamp, duration: 0, now: 0)
        }
    }
}
