import BaseKit
import FakePortal
import Glibc
import Portal
import TestSupport
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    /// The camera through the Camera portal, with a desktop of the test's own and a real PipeWire behind it.
    @Suite(.needs(ScreenDesktop.obstacle))
    struct PortalCameraTests {
        private func call(on desktop: ScreenDesktop) async throws -> Loopback {
            let address = desktop.bus.address
            return try await Loopback { offerer, _ in
                offerer.camera = .portal
                offerer.portalCamera = PortalCamera { () async throws(PortalError) in
                    try await DesktopPortal(on: try await Bus.connect(address: address))
                }
            }
        }

        @Test func `the camera that the desktop hands out is shown, and asked for each time it is turned on`()
            async throws
        {
            let desktop = try await ScreenDesktop()
            let camera = try await desktop.addCamera("webcam", colour: 0xFF0000)
            _ = try await desktop.node("webcam")
            desktop.allowCamera()
            let call = try await call(on: desktop)
            try await call.connect()
            try await soon { call.answerer.remoteVideo.latest()?.isMostly(.red) == true }
            #expect(await call.offerer.cameraCount == 1)
            await call.offerer.setCameraEnabled(false)
            await call.answererLog.wait {
                $0.last(where: \.isPeerMedia) == .peerMedia(PeerMedia(microphone: true, camera: false))
            }
            // Another one: a sink of GStreamer's that nobody watched for seconds gives no more pictures.
            try await camera.end()
            let other = try await desktop.addCamera("other", colour: 0x00FF00)
            _ = try await desktop.node("other")
            await call.offerer.setCameraEnabled(true)
            try await soon { call.answerer.remoteVideo.latest()?.isMostly(.green) == true }
            #expect(desktop.portal.calls.filter { $0.name == "AccessCamera" }.count == 2)
            #expect(call.offererLog.events.allSatisfy { !$0.isNotice })
            await call.close()
            withExtendedLifetime(other) {}
        }

        @Test(arguments: [UInt32(1), 2])
        func `a no is one sentence, the call goes on, and a later yes counts`(code: UInt32) async throws {
            let desktop = try await ScreenDesktop()
            let camera = try await desktop.addCamera("webcam", colour: 0x00FF00)
            _ = try await desktop.node("webcam")
            desktop.allowCamera(code: code)
            let call = try await call(on: desktop)
            try await call.connect()
            await call.answererLog.wait(for: .firstAudioFrame)
            await call.offererLog.wait { $0.contains { $0.isNotice } }
            #expect(call.offererLog.events.filter(\.isNotice).count == 1)
            #expect(desktop.portal.calls.allSatisfy { $0.name != "OpenPipeWireRemote" })
            #expect(await call.answerer.statistics().received.videoFrames == 0)
            desktop.allowCamera()
            await call.offerer.setCameraEnabled(false)
            await call.offerer.setCameraEnabled(true)
            try await soon { call.answerer.remoteVideo.latest()?.isMostly(.green) == true }
            await call.close()
            withExtendedLifetime(camera) {}
        }

        @Test func `a question that stands keeps nothing open, and a late yes opens nothing`() async throws {
            let desktop = try await ScreenDesktop()
            desktop.leaveCameraOpen()
            let before = Capture.live
            let call = try await call(on: desktop)
            try await soon { desktop.portal.calls.contains { $0.name == "AccessCamera" } }
            await call.offerer.setCameraEnabled(false)
            async let asked: Void = call.offerer.setCameraEnabled(true)
            try await soon { desktop.portal.calls.filter { $0.name == "AccessCamera" }.count == 2 }
            await call.close()
            await asked
            #expect(Capture.live == before)
            #expect(call.offererLog.events.allSatisfy { !$0.isNotice })
            #expect(desktop.portal.calls.allSatisfy { $0.name != "OpenPipeWireRemote" })
        }

        @Test func `without a portal a sentence says so`() async throws {
            let bus = try await PrivateBus()
            let address = bus.address
            let call = try await Loopback { offerer, _ in
                offerer.camera = .portal
                offerer.portalCamera = PortalCamera { () async throws(PortalError) in
                    try await DesktopPortal(on: try await Bus.connect(address: address))
                }
            }
            await call.offererLog.wait { $0.contains { $0.fault == .cameraNotGiven(Cause(PortalError.noPortal)) } }
            await call.close()
        }

        @Test func `in a sandbox the portal is asked, whatever camera was chosen elsewhere`() {
            let chosen = MediaDevice(id: "v4l2:usb-1:Webcam", name: "Webcam")
            for source in [CameraSource.automatic, .preferred(chosen), .portal] {
                let choice = SourceChoice(source, isSandboxed: true)
                #expect(choice.selection == nil)
                #expect(choice.fixed.map { if case .portal = $0 { true } else { false } } == [true])
            }
            #expect(SourceChoice(.preferred(chosen), isSandboxed: false).selection?.wanted == chosen)
            #expect(SourceChoice(.test, isSandboxed: true).fixed.count == 2)
        }
    }
}

extension ScreenDesktop {
    private static let camera = "org.freedesktop.portal.Camera"

    /// Plugs in a camera of one colour (0xRRGGBB); it is there as long as what is given back.
    fileprivate func addCamera(_ name: String, colour: UInt32) async throws -> VirtualPicture {
        try await VirtualPicture(
            name, of: .colour(colour), caps: "format=YUY2,width=640,height=480", properties: ["media.role=Camera"],
            start: start)
    }

    /// From now on the person does not answer.
    fileprivate func leaveCameraOpen() { portal.on(Self.camera, "AccessCamera") { _ in .silence } }

    /// From now on the person allows the camera, or answers with another code.
    fileprivate func allowCamera(code: UInt32 = 0) {
        portal.on(Self.camera, "AccessCamera") { _ in .response(code) }
        portal.on(Self.camera, "OpenPipeWireRemote") { [weak self] _ in self?.handOut() ?? .values([]) }
    }
}
