import BaseKit
import CGStreamer
import GLibKit
import TestSupport
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    @Suite struct GroupSessionTests {
        @Test func `four see and hear each other, with one encoder each`() async throws {
            try await Mesh.run(4) { mesh in
                try await mesh.connectAll()
                let all: [UInt8] = [1, 2, 3, 4]
                try await mesh.waitForMedia(among: all)
                for one in all {
                    let session = try mesh[one]
                    for other in all where other != one {
                        let feed = await session.video(of: other)
                        try await eventually { feed.latest()?.isTestPicture ?? false }
                        #expect(try await mesh.received(by: one, from: other).framesRejected == 0)
                    }
                    // One for each size of the camera's pictures, or a screen's in its place, however many get them.
                    #expect(await session.encoders(madeBy: "vp8enc") == PictureLayer.allCases.count)
                    // The voice's, and one for a screen's sound.
                    #expect(await session.encoders(madeBy: "opusenc") == 2)
                    #expect(await session.encodersOfPaths == 0)
                    let (sealed, sent) = (await session.counters.sent, await session.sentToMembers)
                    // What left is what was sealed: nothing was sealed for one member alone.
                    #expect(sent.allSatisfy { $0.videoFrames <= sealed.videoFrames && $0.videoFrames > 0 })
                }
            }
            try await eventually { GroupSession.live == 0 }
        }

        @Test func `the rest goes on when one leaves`() async throws {
            try await Mesh.run(3) { mesh in
                try await mesh.connectAll()
                try await mesh.waitForMedia(among: [1, 2, 3])
                let feed = try await mesh[1].video(of: 3)
                try await mesh[3].close()
                for stays in [UInt8(1), 2] {
                    try await mesh[stays].closePath(to: 3)
                    try await mesh[stays].dropKeys(of: 3)
                }
                #expect(feed.latest() == nil)
                #expect(try await mesh[1].statistics(of: 3) == nil)
                for stays in [UInt8(1), 2] { try await mesh.rotate(stays, without: [3]) }
                try await mesh.waitForMedia(among: [1, 2])
            }
        }

        @Test func `who is put out sees and hears nothing more, although all still comes to it, and the others go on`()
            async throws
        {
            try await Mesh.run(3) { mesh in
                try await mesh.connectAll()
                try await mesh.waitForMedia(among: [1, 2, 3])
                for stays in [UInt8(1), 2] { try await mesh.rotate(stays, without: [3]) }
                // What was sealed before has come.
                for stays in [UInt8(1), 2] {
                    try await eventually { try await mesh.received(by: 3, from: stays).framesRejected > 20 }
                }
                let before = [try await mesh.received(by: 3, from: 1), try await mesh.received(by: 3, from: 2)]
                try await mesh.waitForMedia(among: [1, 2], pictures: 30, sounds: 100)
                for (stays, then) in zip([UInt8(1), 2], before) {
                    try await eventually {
                        try await mesh.received(by: 3, from: stays).framesRejected > then.framesRejected + 20
                    }
                    let now = try await mesh.received(by: 3, from: stays)
                    #expect((now.videoFrames, now.audioFrames) == (then.videoFrames, then.audioFrames))
                }
            }
        }

        @Test func `keys change while frames run, and hardly one is refused`() async throws {
            try await Mesh.run(3) { mesh in
                try await mesh.connectAll()
                try await mesh.waitForMedia(among: [1, 2, 3])
                for round in 0..<3 {
                    for member in [UInt8(1), 2, 3] {
                        if round == 1 { try await mesh.rotate(member) } else { try await mesh.step(member) }
                    }
                    try await mesh.waitForMedia(among: [1, 2, 3])
                }
                for one in [UInt8(1), 2, 3] {
                    for other in [UInt8(1), 2, 3] where other != one {
                        #expect(try await mesh.received(by: one, from: other).framesRejected <= 5)
                        #expect(try await mesh[one].keys.newest(of: other)?.epoch == 1)
                        #expect(try await mesh[one].keys.newest(of: other)?.step == 1)
                    }
                }
            }
        }

        @Test func `a member whose frames another key seals is never seen or heard`() async throws {
            try await Mesh.run(3, givesKeys: false) { mesh in
                try await mesh.giveKeys()
                // 1 takes 2's frames for sealed with what is 3's.
                try await mesh[1].give(Mesh.key(epoch: 0, of: 3), of: 2)
                try await mesh.connectAll()
                try await mesh.waitForMedia(among: [1, 3])
                try await mesh.waitForMedia(among: [2, 3])
                try await eventually { try await mesh.received(by: 1, from: 2).framesRejected > 30 }
                let received = try await mesh.received(by: 1, from: 2)
                #expect(received.videoFrames == 0 && received.audioFrames == 0)
                #expect(try await mesh[1].video(of: 2).latest() == nil)
            }
        }

        @Test func `a member whose certificate is another one is left out, and the others go on`() async throws {
            try await Mesh.run(3) { mesh in
                try await mesh.connect(1, 2)
                try await mesh.connect(2, 3)
                try await mesh.connect(1, 3) { sdp in
                    sdp.split(separator: "\r\n", omittingEmptySubsequences: false).map { line in
                        guard line.hasPrefix("a=fingerprint:") else { return String(line) }
                        return "a=fingerprint:sha-256 " + [String](repeating: "AB", count: 32).joined(separator: ":")
                    }.joined(separator: "\r\n")
                }
                try await eventually { mesh.events(of: 3).contains(.member(1, .fingerprintMismatch)) }
                #expect(try await mesh[3].statistics(of: 1) == nil)
                try await mesh.waitForMedia(among: [1, 2])
                try await mesh.waitForMedia(among: [2, 3])
                // Not one frame went to the one who may be somebody else.
                #expect(try await mesh.received(by: 1, from: 3).videoFrames == 0)
                #expect(try await mesh.received(by: 1, from: 3).audioFrames == 0)
            }
        }

        @Test func `another transport takes over between two, and pictures go on`() async throws {
            try await Mesh.run(2) { mesh in
                try await mesh.connect(1, 2)
                try await mesh.waitForMedia(among: [1, 2])
                try await mesh.connect(1, 2, number: 1)
                for (one, other) in [(UInt8(1), UInt8(2)), (2, 1)] {
                    try await eventually { mesh.events(of: one).contains(.member(other, .renewed(1))) }
                }
                try await mesh.waitForMedia(among: [1, 2])
                #expect(try await mesh.received(by: 1, from: 2).framesRejected == 0)
            }
        }

        @Test
        func `a screen is seen by all in the camera's place, whole, and the camera comes back when its source ends`()
            async throws
        {
            try await Mesh.run(3) { mesh in
                try await mesh[1].startScreen(.test)
                #expect(try await mesh[1].devices.screen.running == nil, "nobody is there yet")
                try await mesh.connectAll()
                try await mesh.waitForMedia(among: [1, 2, 3])
                #expect(try await mesh[1].devices.camera.isOpen)
                for isStopped in [true, false] {
                    try await mesh[1].startScreen(.test)
                    for other in [UInt8(2), 3] {
                        let feed = try await mesh[other].video(of: 1)
                        try await eventually { feed.latest()?.isLargeTestScreen ?? false }
                    }
                    #expect(mesh.events(of: 1).last(where: \.isSharing) == .own(.screenSharing(.on(withSound: false))))
                    try await eventually { try await !mesh[1].devices.camera.isOpen }
                    if isStopped {
                        try await mesh[1].stopScreen()
                    } else {
                        let source = try #require(try await mesh[1].devices.screen.running?.picture.pipeline.element)
                        await MediaQueue.run { _ = gst_element_send_event(source.pointer(), gst_event_new_eos()) }
                    }
                    for other in [UInt8(2), 3] {
                        let feed = try await mesh[other].video(of: 1)
                        try await eventually { feed.latest()?.isTestPicture ?? false }
                    }
                    #expect(try await mesh[1].devices.camera.isOpen)
                    #expect(mesh.events(of: 1).last(where: \.isSharing) == .own(.screenSharing(.off)))
                }
                #expect(try await mesh.received(by: 2, from: 1).framesRejected == 0)
            }
        }

        @Test func `the sound of a screen is heard by all beside the voice, and ends with the screen`() async throws {
            try await Mesh.run(3) { mesh in
                try await mesh.connectAll()
                try await mesh.waitForMedia(among: [1, 2, 3])
                try await mesh[1].startScreen(.test, sound: .test)
                let sounding = PeerMedia(microphone: true, camera: true, screenSound: true)
                for other in [UInt8(2), 3] {
                    try await eventually { mesh.events(of: other).contains(.member(1, .peerMedia(sounding))) }
                    var meters: [SoundMeter] = []
                    try await eventually {
                        meters = try await mesh[other].meters(of: 1)
                        return meters.count == 2
                    }
                    try await eventually { meters.contains { $0.hears(440) } && meters.contains { $0.hears(1_320) } }
                }
                #expect(mesh.events(of: 1).last(where: \.isSharing) == .own(.screenSharing(.on(withSound: true))))
                try await mesh[1].stopScreen()
                for other in [UInt8(2), 3] {
                    try await eventually {
                        mesh.events(of: other).last(where: \.isOfMedia)
                            == .member(1, .peerMedia(PeerMedia(microphone: true, camera: true)))
                    }
                }
                // What had left before that was told.
                try await mesh.waitForMedia(among: [1, 2, 3])
                let heard = try await mesh.received(by: 2, from: 1)
                #expect(heard.screenSoundFrames > 0 && heard.framesRejected == 0)
                try await mesh.waitForMedia(among: [1, 2, 3])
                #expect(try await mesh.received(by: 2, from: 1).screenSoundFrames == heard.screenSoundFrames)
                // Who shares nothing sends none of it.
                #expect(try await mesh.received(by: 1, from: 2).screenSoundFrames == 0)
            }
        }

        @Test func `a screen on which nothing moves stays seen`() async throws {
            try await Mesh.run(2) { mesh in
                try await mesh.connectAll()
                try await mesh.waitForMedia(among: [1, 2])
                try await mesh[1].startScreen(.test)
                let feed = try await mesh[2].video(of: 1)
                try await eventually { feed.latest()?.isTestScreen ?? false }
                // The source falls silent, as a desktop's does; what repeats its last picture goes on.
                let source = try #require(try await mesh[1].devices.screen.running?.picture.pipeline.element)
                await MediaQueue.run { _ = source.setState(GST_STATE_PAUSED) }
                let seen = try await mesh.received(by: 2, from: 1).videoFrames
                try await eventually { try await mesh.received(by: 2, from: 1).videoFrames >= seen + 12 }
                #expect(feed.latest()?.isTestScreen == true)
            }
        }

        @Test func `a screen is seen of one whose camera is off, and nothing once it is shared no more`() async throws {
            try await Mesh.run(2) { mesh in
                try await mesh.connectAll()
                try await mesh.waitForMedia(among: [1, 2])
                try await mesh[1].setCameraEnabled(false)
                let feed = try await mesh[2].video(of: 1)
                try await eventually { feed.latest() == nil }
                try await mesh[1].startScreen(.test)
                try await eventually { feed.latest()?.isTestScreen ?? false }
                try await mesh[1].stopScreen()
                try await eventually { feed.latest() == nil }
                #expect(try await !mesh[1].devices.camera.isOpen)
            }
        }

        @Test func `where nothing is drawn pictures have a size alone, and come and are counted as ever`() async throws
        {
            try await Mesh.run(2) { number, configuration in
                configuration.drawsPictures = number == 2
            } _: { mesh in
                try await mesh.connectAll()
                try await mesh.waitForMedia(among: [1, 2], pictures: 30)
                let (undrawn, drawn) = (try await mesh[1].video(of: 2), try await mesh[2].video(of: 1))
                try await eventually { undrawn.latest() != nil && drawn.latest()?.isTestPicture ?? false }
                let picture = try #require(undrawn.latest())
                #expect(picture.width > 0 && picture.height > 0 && picture.pixels.isEmpty)
                let told = Shared(0)
                undrawn.setHandler { told.change { $0 += 1 } }
                try await eventually { told.value > 30 }
                #expect(try mesh[1].localVideo.latest() == nil && mesh[2].localVideo.latest() != nil)
                // What is off is told, drawn or not.
                try await mesh[2].setCameraEnabled(false)
                try await eventually { undrawn.latest() == nil }
            }
        }

        @Test func `a muted microphone is not heard, a camera that is off not seen, by anybody`() async throws {
            try await Mesh.run(3) { mesh in
                try await mesh.connectAll()
                try await mesh.waitForMedia(among: [1, 2, 3])
                try await mesh[1].setMicrophoneEnabled(false)
                try await mesh[1].setCameraEnabled(false)
                for other in [UInt8(2), 3] {
                    let off = GroupSessionEvent.member(1, .peerMedia(PeerMedia(microphone: false, camera: false)))
                    try await eventually { mesh.events(of: other).contains(off) }
                }
                try await mesh[1].setMicrophoneEnabled(true)
                try await mesh[1].setCameraEnabled(true)
                try await mesh.waitForMedia(among: [1, 2, 3])
            }
        }
    }
}

extension GroupSession {
    /// How many encoders of a kind there are for all members.
    fileprivate func encoders(madeBy factory: String) -> Int { pipeline.element.all(madeBy: factory).count }

    /// How many encoders there are in the pipelines of transports.
    fileprivate var encodersOfPaths: Int {
        paths.values.flatMap { $0.transports.all }.reduce(0) { sum, transport in
            sum
                + ["vp8enc", "opusenc", "parleyframeencrypt"].reduce(0) {
                    $0 + transport.pipeline.element.all(madeBy: $1).count
                }
        }
    }

    /// What measures the sounds that come of a member.
    fileprivate func meters(of member: UInt8) -> [SoundMeter] {
        paths[member].map { SoundMeter.all($0.transports.current.pipeline.element) } ?? []
    }

    /// What went to each member.
    fileprivate var sentToMembers: [MediaStatistics.Direction] { paths.values.map(\.statistics.sent) }
}

extension GroupSessionEvent {
    fileprivate var isSharing: Bool { if case .own(.screenSharing) = self { true } else { false } }
    fileprivate var isOfMedia: Bool { if case .member(1, .peerMedia) = self { true } else { false } }
}
