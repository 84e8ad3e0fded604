/// An element or device provider of GStreamer's that a call is made of, and the packages that have it.
public struct NeededElement: Sendable, Hashable {
    /// What it is needed for.
    public enum Use: String, Sendable, CaseIterable {
        /// Every call: without it there is none.
        case call
        /// Microphones and speakers.
        case sound
        /// The ring and the tones of a call.
        case ring
        /// Taking echo and noise out of the microphone's sound.
        case processing
        /// Cameras.
        case camera
        /// Cameras and screens that the desktop's portal hands out.
        case portal
        /// A film in a camera's place.
        case film
        /// Reading QR codes.
        case codes
    }

    public let use: Use
    /// The name of its factory, such as `webrtcbin`.
    public let name: String
    /// The package that has it on Debian and Ubuntu.
    let debianPackage: String
    /// The package that has it on Fedora.
    let fedoraPackage: String
    /// The package that has it on Arch.
    let archPackage: String

    /// All of them, from `elements.txt`, which the set-up reads as well.
    public static let all: [NeededElement] = lines.compactMap { NeededElement(line: $0) }

    /// The lines of `elements.txt` that name an element.
    static let lines: [Substring] = String(decoding: PackageResources.elements_txt, as: UTF8.self)
        .split(separator: "\n").filter { !$0.hasPrefix("#") }

    /// Reads a line: use, element, then its package on Debian, Fedora and Arch. Nil when it is not like that.
    package init?(line: some StringProtocol) {
        let columns = line.split(separator: " ").map { String($0) }
        guard columns.count == 5, let use = Use(rawValue: columns[0]) else { return nil }
        (self.use, name) = (use, columns[1])
        (debianPackage, fedoraPackage, archPackage) = (columns[2], columns[3], columns[4])
    }
}
