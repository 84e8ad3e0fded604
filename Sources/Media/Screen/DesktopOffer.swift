import Portal

/// What the desktop's portal hands out for calls.
public enum DesktopOffer: String, Sendable, CaseIterable {
    case camera
    case screen

    private var interface: String {
        switch self {
        case .camera: PortalCamera.interface
        case .screen: PortalScreens.interface
        }
    }

    /// The version of the portal's interface for it; nobody is asked for anything.
    /// - Throws: ``PortalError`` when the desktop does not offer it.
    public func version() async throws -> Int {
        let portal = try await DesktopPortal.connect()
        guard let version = try await portal.property("version", of: interface).integer else {
            throw PortalError.unexpectedAnswer("version")
        }
        return version
    }
}
