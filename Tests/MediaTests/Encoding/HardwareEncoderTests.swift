import BaseKit
import CGStreamer
import GLibKit
import TestSupport
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    /// Encoders of a graphics processor: which are used, and what becomes of a call whose encoder fails.
    @Suite(.timeLimit(.minutes(5))) final class HardwareEncoderTests {
        init() throws { try MediaRuntime.start() }

        deinit { HardwareEncoders.reset() }

        @Test func `an encoder that does all a call needs is used`() throws {
            HardwareEncoders.probe([FakeHardware.good.encoder])
            #expect(HardwareEncoders.best == FakeHardware.good.encoder)
        }

        @Test(arguments: FakeHardware.allCases.filter { $0 != .good })
        func `an encoder that lacks something is not used, and the next one is`(_ kind: FakeHardware) throws {
            HardwareEncoders.probe([kind.encoder])
            #expect(HardwareEncoders.best == nil)
            HardwareEncoders.probe([kind.encoder, FakeHardware.good.encoder])
            #expect(HardwareEncoders.best == FakeHardware.good.encoder)
        }

        @Test func `where there is no such encoder libvpx encodes`() async throws {
            HardwareEncoders.probe([HardwareEncoder(factory: "parleytestnone", fixed: [:])])
            let line = try Line()
            try await eventually { line.frames.value.count > 10 }
            #expect(!line.isHardware)
            line.close()
        }

        @Test func `only who may use the graphics processor does`() async throws {
            HardwareEncoders.use(FakeHardware.good.encoder)
            let (allowed, other) = (try Line(), try Line(hardware: false))
            try await eventually { allowed.frames.value.count > 10 && other.frames.value.count > 10 }
            #expect(allowed.isHardware && !other.isHardware)
            allowed.close()
            other.close()
        }

        @Test func `the rate goes to the encoder in thousands, where it differs enough`() async throws {
            HardwareEncoders.use(FakeHardware.good.encoder)
            FakeHardware.rates.withLock { $0 = [] }
            let line = try Line()
            try await eventually { line.frames.value.count > 2 }
            for rate in [500_000, 510_000, 400_000] { line.encoder.set("target-bitrate", rate) }
            #expect(FakeHardware.rates.withLock { $0 } == [1_000, 500, 400])
            line.close()
        }

        @Test(arguments: [FakeHardware.fails, .silent, .refuses])
        func `libvpx takes the place of an encoder that fails, with a key frame and the rate of the call`(
            _ kind: FakeHardware
        ) async throws {
            HardwareEncoders.use(kind.encoder)
            let line = try Line()
            line.encoder.set("target-bitrate", 700_000)
            try await eventually { !line.isHardware && line.frames.value.last?.isSoftware == true }
            let frames = line.frames.value
            #expect(frames.first { $0.isSoftware }?.isKeyFrame == true)
            #expect(line.software?[property: "target-bitrate"] as Int32? == 700_000)
            #expect(line.errors.value == [], "nobody else notices")
            #expect(HardwareEncoders.best == nil, "it is not used again")
            line.close()
        }

        @Test func `a call goes on when the encoder of one side fails`() async throws {
            HardwareEncoders.use(FakeHardware.fails.encoder)
            let call = try await Loopback()
            try await call.connect()
            try await eventually { await call.offerer.statistics().link.isHardware }
            try await eventually { await !call.offerer.statistics().link.isHardware }
            let before = await call.answerer.statistics().received.videoFrames
            try await eventually { await call.answerer.statistics().received.videoFrames > before + 30 }
            #expect(!call.offererLog.events.contains { if case .failed = $0 { true } else { false } })
            await call.close()
        }

        /// Pictures on their way through an encoder.
        private final class Line {
            struct Frame {
                let isKeyFrame: Bool
                let isSoftware: Bool
            }

            let encoder: Element
            let frames = Shared<[Frame]>([])
            let errors = Shared<[String]>([])
            private let pipeline: Pipeline

            init(hardware: Bool = true) throws {
                let (frames, errors) = (frames, errors)
                pipeline = try Pipeline { message in
                    if case .error(let text) = message { errors.change { $0.append(text) } }
                }
                let chain = try Element.bin(
                    """
                    videotestsrc is-live=true ! video/x-raw,format=I420,width=160,height=120,framerate=60/1 ! \
                    parleyvp8enc name=encoder hardware=\(hardware ? 1 : 0) ! fakesink sync=false
                    """)
                encoder = try chain.child("encoder")
                try #require(encoder.pad("src")).onBuffer { [weak encoder] _, buffer in
                    let isKeyFrame = buffer.pointee.mini_object.flags & GST_BUFFER_FLAG_DELTA_UNIT.rawValue == 0
                    let isSoftware = (encoder?[property: "is-hardware"] as Int32?) == 0
                    frames.change { $0.append(Frame(isKeyFrame: isKeyFrame, isSoftware: isSoftware)) }
                }
                pipeline.element.add(chain)
                try #require(pipeline.element.setState(GST_STATE_PLAYING))
            }

            var isHardware: Bool { (encoder[property: "is-hardware"] as Int32?) == 1 }
            var software: Element? { encoder.all(madeBy: "vp8enc").first }

            func close() { pipeline.close() }
        }
    }
}
