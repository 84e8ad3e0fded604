import BaseKit
import MediaRules
import Portal

/// The camera as the desktop's portal gives it (`org.freedesktop.portal.Camera`): the person is asked once, then a connection
/// to PipeWire shows the cameras that are allowed.
struct PortalCamera: Sendable {
    static let interface = "org.freedesktop.portal.Camera"

    /// Finds the desktop's portal.
    var connect: @Sendable () async throws(PortalError) -> DesktopPortal = { () async throws(PortalError) in
        try await DesktopPortal.connect()
    }

    /// Asks for the camera, however long the person takes. Throws ``MediaError/device(_:)``.
    func open() async throws(MediaError) -> FileDescriptor {
        do {
            let portal = try await connect()
            _ = try await portal.request(Self.interface, "AccessCamera")
            return try await portal.openPipeWireRemote(Self.interface)
        } catch {
            throw .device(error == .denied ? .cameraDenied : .cameraNotGiven(Cause(error)))
        }
    }
}
