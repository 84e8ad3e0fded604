import CGLib

extension PortalError {
    /// Takes over the error of a call.
    init(adopting error: UnsafeMutablePointer<GError>, method: BusMethod) {
        defer { g_error_free(error) }
        let remote = g_dbus_error_get_remote_error(error).map { name in
            defer { g_free(name) }
            return String(cString: name)
        }
        g_dbus_error_strip_remote_error(error)
        let hasNoConnection =
            error.pointee.domain == g_io_error_quark() && error.pointee.code == gint(G_IO_ERROR_CLOSED.rawValue)
        let message = String(cString: error.pointee.message)
        let prefix = "org.freedesktop.DBus.Error."
        switch remote {
        case _ where hasNoConnection: self = .ended
        case prefix + "ServiceUnknown", prefix + "NameHasNoOwner": self = .noPortal
        case prefix + "UnknownMethod", prefix + "UnknownInterface", prefix + "UnknownObject",
            prefix + "UnknownProperty":
            self = .unsupported("\(method.interface).\(method.name)")
        case prefix + "AccessDenied", "org.freedesktop.portal.Error.NotAllowed": self = .denied
        case "org.freedesktop.portal.Error.Cancelled": self = .denied
        case prefix + "NoReply", prefix + "Disconnected": self = .ended
        default: self = .failed(name: remote ?? "", message: message)
        }
    }
}
