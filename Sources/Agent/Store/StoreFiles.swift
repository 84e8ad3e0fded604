/// What the files of a store look like when it is opened, compared with what its last user said of them.
enum StoreFiles: Equatable, Sendable {
    /// As this machine's last user left them, closed or dead.
    case untouched
    /// As a power cut or a reset would leave them, or an image of the whole disk: nothing in them shows a copy, but the last
    /// words may be missing.
    case cut
    /// Written by somebody else: copied, restored, put over others. Or nobody knows.
    case touched
}
