import BaseKit
import GLibKit
import TestSupport
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    /// Calls of several whose media go over a server of another project.
    @Suite(.needs(Room.obstacle)) struct RoomTests {
        @Test func `three see and hear each other over a server that can't open a frame`() async throws {
            try await Room.use(3) { room, mesh in
                for member in [UInt8(1), 2, 3] { try await room.enter(member, of: mesh) }
                try await Room.waitForMedia(mesh, among: [1, 2, 3], pictures: 30)
                for one in [UInt8(1), 2, 3] {
                    for other in [UInt8(1), 2, 3] where other != one {
                        let received = try await Room.received(mesh, by: one, from: other)
                        #expect(received.framesRejected == 0)
                        #expect(mesh.events(of: one).contains(.room(.heard(other))))
                        let feed = try await mesh[one].video(of: other)
                        try await eventually { feed.latest()?.isTestPicture ?? false }
                        // The server's own clock tells how long pictures wait on their way.
                        try await eventually { try await mesh[one].knowsQueue(of: other) }
                    }
                }
            }
            try await eventually { GroupSession.live == 0 }
        }

        @Test
        func `where one of twenty packets is lost each way, large pictures go on, as key frames can be asked for`()
            async throws
        {
            try await Room.use(2) { room, mesh in
                for member in [UInt8(1), 2] { try await room.enter(member, of: mesh) }
                try await Room.waitForMedia(mesh, among: [1, 2])
                try room.network.lose(5)
                for _ in 0..<3 { try await Room.waitForMedia(mesh, among: [1, 2], pictures: 60) }
                for (one, other) in [(UInt8(1), UInt8(2)), (2, 1)] {
                    try await eventually { try await mesh[one].layer(of: other) == .high }
                }
            }
        }

        @Test func `reports about a feed leave seldom, and often while packets of it are lost`() async throws {
            try await Room.use(2) { room, mesh in
                for member in [UInt8(1), 2] { try await room.enter(member, of: mesh) }
                try await Room.waitForMedia(mesh, among: [1, 2])
                try await eventually { try await mesh[2].reportIntervals(of: 1) == [400] }
                // Of our own sound and pictures nothing is received that could be asked for, however much goes.
                try await eventually { try await mesh[2].ownRate > 400_000 }
                try await eventually { try await mesh[2].ownReportInterval == 400 }
                try room.network.lose(10)
                try await eventually { try await mesh[2].reportIntervals(of: 1) == [50] }
            }
        }

        @Test func `those pictures of a member come that are as large as it is shown`()
            async throws
        {
            try await Room.use(2) { room, mesh in
                for member in [UInt8(1), 2] { try await room.enter(member, of: mesh) }
                try await Room.waitForMedia(mesh, among: [1, 2])
                let (feed, meeting) = (try await mesh[2].video(of: 1), try await mesh[2].feeds(of: 1).meeting)
                for _ in 0..<2 {
                    let sizes = [
                        (PictureSize(width: 120, height: 90), GroupStream.lowest),
                        (PictureSize(width: 160, height: 120), .low), (.vga, .high),
                    ]
                    for (size, stream) in sizes {
                        feed.setShownSize(size)
                        try await eventually { meeting.stream(of: .camera) == stream }
                        let before = meeting.shown(of: .camera)
                        try await eventually { meeting.shown(of: .camera) > before + 30 }
                    }
                }
                feed.setShownSize(PictureSize(width: 160, height: 120))
                try await eventually { meeting.stream(of: .camera) == .low }
                // What another one is shown is no matter of its.
                try await eventually { try await mesh[1].feeds(of: 2).meeting.stream(of: .camera) == .high }
                #expect(try await Room.received(mesh, by: 2, from: 1).framesRejected == 0)
            }
        }

        @Test func `large pictures are made only while somebody wants them, and small ones are shown meanwhile`()
            async throws
        {
            try await Room.use(2) { room, mesh in
                try mesh[1].setLargeWishes([2: false])
                for member in [UInt8(1), 2] { try await room.enter(member, of: mesh) }
                try await Room.waitForMedia(mesh, among: [1, 2])
                let meeting = try await mesh[2].feeds(of: 1).meeting
                try await eventually { mesh.events(of: 2).contains(.room(.large([1: true]))) }
                let before = meeting.shown(of: .camera)
                try await eventually { meeting.shown(of: .camera) > before + 90 }
                #expect(meeting.stream(of: .camera) == .low)
                #expect(try await mesh[2].layer(of: 1) == .high)
                try mesh[1].setLargeWishes([2: true])
                try await eventually { meeting.stream(of: .camera) == .high }
                try mesh[1].setLargeWishes([2: false])
                try await eventually { meeting.stream(of: .camera) == .low }
                try await mesh[2].video(of: 1).setShownSize(PictureSize(width: 160, height: 120))
                try await eventually { mesh.events(of: 2).contains(.room(.large([1: false]))) }
                // Who came and says nothing wants them.
                try await eventually { try await mesh[1].feeds(of: 2).meeting.stream(of: .camera) == .high }
            }
        }

        @Test func `a screen is seen by all, large even where it is shown small, and the camera comes back`()
            async throws
        {
            try await Room.use(3) { room, mesh in
                // Large pictures of cameras alone are made only while somebody wants them.
                try mesh[1].setLargeWishes([2: false, 3: false])
                for member in [UInt8(1), 2, 3] { try await room.enter(member, of: mesh) }
                try await Room.waitForMedia(mesh, among: [1, 2, 3])
                let feeds = [try await mesh[2].video(of: 1), try await mesh[3].video(of: 1)]
                feeds[0].setShownSize(PictureSize(width: 160, height: 120))
                try await eventually { try await mesh[2].layer(of: 1) == .low }
                for member in [UInt8(2), 3] { try mesh[member].setScreens(of: [1]) }
                try await mesh[1].startScreen(.test)
                for (member, feed) in zip([UInt8(2), 3], feeds) {
                    try await eventually { feed.latest()?.isLargeTestScreen ?? false }
                    let meeting = try await mesh[member].feeds(of: 1).meeting
                    try await eventually { meeting.stream(of: .camera) == .high }
                }
                #expect(try await mesh[2].layer(of: 1) == .high)
                try await mesh[1].stopScreen()
                for member in [UInt8(2), 3] { try mesh[member].setScreens(of: []) }
                for feed in feeds { try await eventually { feed.latest()?.isTestPicture ?? false } }
                try await eventually { try await mesh[2].layer(of: 1) == .low }
                #expect(try await Room.received(mesh, by: 2, from: 1).framesRejected == 0)
            }
        }

        @Test
        func `the sound of a screen comes by the room beside the voice, sealed as all is, and ends with the screen`()
            async throws
        {
            try await Room.use(3) { room, mesh in
                for member in [UInt8(1), 2, 3] { try await room.enter(member, of: mesh) }
                try await Room.waitForMedia(mesh, among: [1, 2, 3])
                try await mesh[1].startScreen(.test, sound: .test)
                for other in [UInt8(2), 3] {
                    try await eventually {
                        try await Room.received(mesh, by: other, from: 1).screenSoundFrames > 20
                    }
                    let meters = try await mesh[other].metersOfRoom(of: 1)
                    #expect(meters.count == 2)
                    try await eventually { meters.contains { $0.hears(440) } && meters.contains { $0.hears(1_320) } }
                    try await eventually {
                        mesh.events(of: other).contains { $0.isOfMedia(of: 1, withScreenSound: true) }
                    }
                }
                // It goes on while the microphone is off.
                try await mesh[1].setMicrophoneEnabled(false)
                let muted = try await Room.received(mesh, by: 2, from: 1)
                try await eventually {
                    try await Room.received(mesh, by: 2, from: 1).screenSoundFrames > muted.screenSoundFrames + 50
                }
                try await mesh[1].stopScreen()
                try await mesh[1].setMicrophoneEnabled(true)
                for other in [UInt8(2), 3] {
                    try await eventually {
                        mesh.events(of: other).last(where: \.isOfMedia)?.isOfMedia(of: 1, withScreenSound: false)
                            == true
                    }
                    #expect(try await Room.received(mesh, by: other, from: 1).framesRejected == 0)
                }
                try await Room.waitForMedia(mesh, among: [1, 2, 3])
            }
        }

        @Test func `no pictures come of a member that is not shown, unless it is muted, and it is heard all the time`()
            async throws
        {
            try await Room.use(2) { room, mesh in
                for member in [UInt8(1), 2] { try await room.enter(member, of: mesh) }
                try await Room.waitForMedia(mesh, among: [1, 2])
                let feed = try await mesh[2].video(of: 1)
                feed.setShownSize(PictureSize(width: 0, height: 0))
                try await eventually { try await mesh[2].layer(of: 1) == ForwardedLayer.none }
                try await eventually { feed.latest() == nil }
                let before = try await Room.received(mesh, by: 2, from: 1)
                try await Room.waitForMedia(mesh, among: [1, 2], pictures: 0, sounds: 100)
                #expect(try await Room.received(mesh, by: 2, from: 1).videoFrames == before.videoFrames)
                try await mesh[1].setMicrophoneEnabled(false)
                try await eventually { try await mesh[2].layer(of: 1) == .lowest }
                try await eventually {
                    try await Room.received(mesh, by: 2, from: 1).videoFrames > before.videoFrames + 90
                }
                try await mesh[1].setMicrophoneEnabled(true)
                try await eventually { try await mesh[2].layer(of: 1) == ForwardedLayer.none }
                feed.setShownSize(.vga)
                try await eventually { try await mesh[2].layer(of: 1) == .high }
                try await eventually { feed.latest()?.isTestPicture ?? false }
                #expect(!mesh.events(of: 2).contains(.room(.silent(1))))
            }
        }

        @Test func `a choice of pictures that the server did not take is made again`() async throws {
            try await Room.use(2) { room, mesh in
                try await room.enter(1, of: mesh)
                let port = try await room.enter(2, of: mesh)
                try await Room.waitForMedia(mesh, among: [1, 2])
                port.refuse(2)
                try await mesh[2].video(of: 1).setShownSize(PictureSize(width: 160, height: 120))
                let meeting = try await mesh[2].feeds(of: 1).meeting
                // Janus passes on small pictures by itself, too, where the large ones are late.
                try await eventually { port.choices.last == .low && meeting.stream(of: .camera) == .low }
                #expect(port.refusesYet == 0)
            }
        }

        @Test func `large pictures that were agreed to and don't come are asked for again`() async throws {
            try await Room.use(2) { room, mesh in
                try await room.enter(1, of: mesh)
                let port = try await room.enter(2, of: mesh)
                try await Room.waitForMedia(mesh, among: [1, 2])
                let (feed, meeting) = (try await mesh[2].video(of: 1), try await mesh[2].feeds(of: 1).meeting)
                feed.setShownSize(PictureSize(width: 160, height: 120))
                // Janus passes on small pictures by itself, too, where the large ones are late.
                try await eventually { port.choices.last == .low && meeting.stream(of: .camera) == .low }
                port.lose(2)
                feed.setShownSize(.vga)
                try await eventually { port.choices.last == .high && meeting.stream(of: .camera) == .high }
                #expect(port.losesYet == 0)
            }
        }

        @Test func `where the way from the server is too narrow less is asked for, and sound goes on`() async throws {
            try await Room.use(2) { room, mesh in
                for member in [UInt8(1), 2] { try await room.enter(member, of: mesh) }
                try await Room.waitForMedia(mesh, among: [1, 2])
                #expect(try await mesh[1].layer(of: 2) == .high)
                #expect(try await mesh[2].layer(of: 1) == .high)
                // Twice sound, and some of what two pictures take.
                try room.network.narrow(to: 300)
                try await eventually {
                    let layers = [try await mesh[1].layer(of: 2), try await mesh[2].layer(of: 1)]
                    return layers.contains { $0 != .high }
                }
                try await Room.waitForMedia(mesh, among: [1, 2], pictures: 0, sounds: 250)
            }
        }

        @Test func `missing packets of pictures are asked for, but not while the way from the server is too full`()
            async throws
        {
            try await Room.use(2) { room, mesh in
                for member in [UInt8(1), 2] { try await room.enter(member, of: mesh) }
                try await Room.waitForMedia(mesh, among: [1, 2])
                func asks() async throws -> [Bool] {
                    try await [mesh[1].asksAgain(of: 2), mesh[2].asksAgain(of: 1)]
                }
                #expect(try await asks() == [true, true])
                try room.network.narrow(to: 300)
                try await eventually { try await asks() == [false, false] }
                // Less is asked for, so that it is full no more.
                try await eventually { try await asks() == [true, true] }
            }
        }

        @Test func `one who comes late sees the others, and one who leaves is freed whole`() async throws {
            try await Room.use(3) { room, mesh in
                for member in [UInt8(1), 2] { try await room.enter(member, of: mesh) }
                try await Room.waitForMedia(mesh, among: [1, 2])
                let before = MediaFootprint.now
                let transports = Transport.live
                for _ in 0..<2 {
                    try await room.enter(3, of: mesh)
                    try await Room.waitForMedia(mesh, among: [1, 2, 3])
                    try await eventually { Transport.live == transports + 5 }
                    try await mesh[3].leaveRoom()
                    try await eventually { Transport.live == transports }
                    try await eventually { try await mesh[1].roomStatistics(of: 3) == nil }
                    try await Room.waitForMedia(mesh, among: [1, 2])
                }
                try await eventually { MediaFootprint.now == before }
            }
        }

        @Test func `from the mesh to a room and back hardly a picture is left out`() async throws {
            try await Room.use(2) { room, mesh in
                try await mesh.connect(1, 2)
                try await mesh.waitForMedia(among: [1, 2])
                let meetings = [
                    try await mesh[1].feeds(of: 2).meeting, try await mesh[2].feeds(of: 1).meeting,
                ]
                func waitForPictures() async throws {
                    for meeting in meetings {
                        let before = meeting.shown(of: .camera)
                        try await eventually { meeting.shown(of: .camera) > before + 30 }
                    }
                }
                for member in [UInt8(1), 2] { try await room.enter(member, of: mesh) }
                // Both ways bring everything; each picture is shown once.
                try await Room.waitForMedia(mesh, among: [1, 2])
                try await mesh.waitForMedia(among: [1, 2])
                try await waitForPictures()
                for (one, other) in [(UInt8(1), UInt8(2)), (2, 1)] { try await mesh[one].closePath(to: other) }
                try await waitForPictures()
                try await mesh.connect(1, 2)
                try await mesh.waitForMedia(among: [1, 2])
                for member in [UInt8(1), 2] { try await mesh[member].leaveRoom() }
                try await waitForPictures()
                for meeting in meetings { #expect(meeting.longestGap(of: .camera) <= 2) }
                for (one, other) in [(UInt8(1), UInt8(2)), (2, 1)] {
                    #expect(try await mesh.received(by: one, from: other).framesRejected == 0)
                    #expect(try await mesh[one].video(of: other).latest()?.isTestPicture == true)
                }
            }
        }

        @Test func `the sound of a screen goes on from the mesh to a room and back`() async throws {
            try await Room.use(2) { room, mesh in
                try await mesh.connect(1, 2)
                try await mesh.waitForMedia(among: [1, 2])
                try await mesh[1].startScreen(.test, sound: .test)
                func direct() async throws -> Int { try await mesh.received(by: 2, from: 1).screenSoundFrames }
                func byRoom() async throws -> Int { try await Room.received(mesh, by: 2, from: 1).screenSoundFrames }
                try await eventually { try await direct() > 20 }
                for member in [UInt8(1), 2] { try await room.enter(member, of: mesh) }
                try await eventually { try await byRoom() > 20 }
                for (one, other) in [(UInt8(1), UInt8(2)), (2, 1)] { try await mesh[one].closePath(to: other) }
                let before = try await byRoom()
                try await eventually { try await byRoom() > before + 50 }
                try await mesh.connect(1, 2)
                try await eventually { try await direct() > 20 }
                for member in [UInt8(1), 2] { try await mesh[member].leaveRoom() }
                let then = try await direct()
                try await eventually { try await direct() > then + 50 }
                #expect(try await mesh[1].devices.screen.state == .on(withSound: true))
            }
        }

        @Test func `who was muted with the camera off for long is seen and heard again`() async throws {
            try await Room.use(2) { room, mesh in
                for member in [UInt8(1), 2] { try await room.enter(member, of: mesh) }
                try await Room.waitForMedia(mesh, among: [1, 2])
                try await mesh[1].setMicrophoneEnabled(false)
                try await mesh[1].setCameraEnabled(false)
                try await eventually { mesh.events(of: 2).contains(.room(.silent(1))) }
                #expect(try await mesh[2].video(of: 1).latest() == nil)
                #expect(!mesh.events(of: 1).contains(.room(.lost)))
                try await mesh[1].setCameraEnabled(true)
                let before = try await Room.received(mesh, by: 2, from: 1).videoFrames
                try await eventually { try await Room.received(mesh, by: 2, from: 1).videoFrames > before + 10 }
                let feed = try await mesh[2].video(of: 1)
                try await eventually { feed.latest()?.isTestPicture ?? false }
                try await mesh[1].setMicrophoneEnabled(true)
                try await Room.waitForMedia(mesh, among: [1, 2])
            }
        }

        @Test func `a way to the server that breaks is told, and made anew`() async throws {
            try await Room.use(2) { room, mesh in
                let ports = [try await room.enter(1, of: mesh), try await room.enter(2, of: mesh)]
                try await Room.waitForMedia(mesh, among: [1, 2])
                try room.network.lose(100)
                for member in [UInt8(1), 2] {
                    try await eventually { mesh.events(of: member).contains(.room(.lost)) }
                }
                // Offers and answers go another way: each has made its own anew.
                for port in ports { try await eventually { port.publications >= 2 } }
                try room.network.heal()
                for member in [UInt8(1), 2] {
                    try await eventually { mesh.events(of: member).count { $0 == .room(.connected) } >= 2 }
                }
                try await Room.waitForMedia(mesh, among: [1, 2])
            }
        }

        @Test func `a feed that no key opens is left, and taken again with another key`() async throws {
            try await Room.use(2, givesKeys: false) { room, mesh in
                try await mesh[1].give(Mesh.key(epoch: 0, of: 2), of: 2)
                // Another one's key.
                try await mesh[2].give(Mesh.key(epoch: 0, of: 7), of: 1)
                for member in [UInt8(1), 2] { try await room.enter(member, of: mesh) }
                try await eventually { mesh.events(of: 2).contains(.room(.unreadable(1))) }
                #expect(try await mesh[2].roomStatistics(of: 1) == nil)
                #expect(try await mesh[2].video(of: 1).latest() == nil)
                try await mesh[2].give(Mesh.key(epoch: 0, of: 1), of: 1)
                try await Room.waitForMedia(mesh, among: [1, 2])
            }
        }

        @Test func `the transport to a member's feed is set up with us as the server of DTLS`() async throws {
            try await Room.use(2) { room, mesh in
                try await room.enter(1, of: mesh)
                let port = try await room.enter(2, of: mesh)
                try await Room.waitForMedia(mesh, among: [1, 2])
                let answer = try #require(port.answers.first)
                #expect(port.answers.count == 1)
                for line in ["a=recvonly", "a=setup:passive", "abs-send-time"] { #expect(answer.contains(line)) }
            }
        }
    }

    /// What a room may do to a call, with one that is only pretended.
    @Suite struct PretendedRoomTests {
        @Test func `only feeds of members whose key is known are asked for`() async throws {
            try await Mesh.run(2) { mesh in
                let forwarder = FakeForwarder()
                try await mesh[1].enter(room: forwarder, feedsKey: Room.key)
                let (stranger, unknown, member) = (FeedID(1), FeedID(2), FeedID(3))
                forwarder.tell.yield(.feedCame(stranger, display: "2.somebody"))
                forwarder.tell.yield(
                    .feedCame(unknown, display: FeedName(of: 9, feed: unknown, key: Room.key).display))
                forwarder.tell.yield(.feedCame(member, display: FeedName(of: 2, feed: member, key: Room.key).display))
                try await eventually { forwarder.asked.contains(member) }
                #expect(!forwarder.asked.contains(stranger) && !forwarder.asked.contains(unknown))
                try await mesh[1].give(Mesh.key(epoch: 0, of: 9), of: 9)
                try await eventually { forwarder.asked.contains(unknown) }
                #expect(!forwarder.asked.contains(stranger))
            }
        }

        @Test func `a server that offers nonsense is asked a few times, and the call goes on`() async throws {
            try await Mesh.run(2) { mesh in
                let forwarder = FakeForwarder { _ in "v=0\r\nm=audio 9 RTP/AVP 0\r\n" }
                try await mesh[1].enter(room: forwarder, feedsKey: Room.key)
                let feed = FeedID(3)
                forwarder.tell.yield(.feedCame(feed, display: FeedName(of: 2, feed: feed, key: Room.key).display))
                try await eventually { forwarder.asked.count == GroupRoom.mostFailures + 1 }
                try await eventually { forwarder.left.count == GroupRoom.mostFailures + 1 }
                try await mesh.connect(1, 2)
                // Longer than until it would be asked again.
                try await mesh.waitForMedia(among: [1, 2], pictures: 60)
                #expect(forwarder.asked.count == GroupRoom.mostFailures + 1)
            }
        }

        @Test func `what the server hangs up is made anew`() async throws {
            try await Mesh.run(1) { mesh in
                let forwarder = FakeForwarder()
                try await mesh[1].enter(room: forwarder, feedsKey: Room.key)
                forwarder.tell.yield(.hungUp(.own))
                try await eventually { forwarder.published == 2 }
                #expect(!mesh.events(of: 1).contains(.room(.ended)))
            }
        }

        @Test func `a room that is closed is told, and its port is closed with the call`() async throws {
            let forwarder = FakeForwarder()
            try await Mesh.run(1) { mesh in
                let closed = FakeForwarder()
                try await mesh[1].enter(room: closed, feedsKey: Room.key)
                closed.tell.yield(.closed)
                try await eventually { mesh.events(of: 1).contains(.room(.ended)) }
                #expect(closed.isClosed)
                try await mesh[1].enter(room: forwarder, feedsKey: Room.key)
                #expect(!forwarder.isClosed)
            }
            #expect(forwarder.isClosed)
            try await eventually { Transport.live == 0 && GroupSession.live == 0 }
        }
    }
}

extension GroupSession {
    /// Which pictures of a member are asked for.
    fileprivate func layer(of member: UInt8) -> ForwardedLayer? {
        room?.feeds.values.first { $0.member == member }?.layer
    }

    /// Milliseconds between two rounds of reports about a member's feeds, and on our own path.
    fileprivate func reportIntervals(of member: UInt8) -> [Int] {
        room?.paths(of: member).compactMap { Self.reportInterval(of: $0.transport) } ?? []
    }

    /// Whether it is known how long a member's packets wait on their way here.
    fileprivate func knowsQueue(of member: UInt8) -> Bool {
        room?.paths(of: member).contains { $0.queue != nil } ?? false
    }

    fileprivate var ownRate: Int { room?.own?.bitrate ?? 0 }
    fileprivate var ownReportInterval: Int? { (room?.own?.transport).flatMap(Self.reportInterval) }

    private static func reportInterval(of transport: Transport) -> Int? {
        let session = transport.pipeline.element.all(madeBy: "rtpbin").first
            .flatMap { try? $0.emit("get-internal-session", 0) }.flatMap(Object.init(borrowing:))
        return (session?[property: "rtcp-min-interval"] as UInt64?).map { Int($0 / 1_000_000) }
    }

    /// What measures the sounds that come of a member.
    fileprivate func metersOfRoom(of member: UInt8) -> [SoundMeter] {
        room?.paths(of: member).flatMap { SoundMeter.all($0.transport.pipeline.element) } ?? []
    }

    /// Whether missing packets of a member's pictures are asked for; those of its sound never are.
    fileprivate func asksAgain(of member: UInt8) -> Bool {
        let buffers = room?.paths(of: member).flatMap { $0.transport.pipeline.element.all(madeBy: "rtpjitterbuffer") }
        return buffers?.contains { ($0[property: "do-retransmission"] as Bool?) == true } ?? false
    }
}

extension GroupSessionEvent {
    fileprivate var isOfMedia: Bool { if case .room(.media(1, _)) = self { true } else { false } }

    fileprivate func isOfMedia(of member: UInt8, withScreenSound: Bool) -> Bool {
        if case .room(.media(member, let media)) = self { media.screenSound == withScreenSound } else { false }
    }
}
