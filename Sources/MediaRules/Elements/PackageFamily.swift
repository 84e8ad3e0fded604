import Glibc

/// The families of systems whose names for packages the list of elements has.
public enum PackageFamily: Sendable, CaseIterable {
    /// Debian, Ubuntu and what is made of them.
    case debian
    /// Fedora and its relatives.
    case fedora
    /// Arch and its relatives.
    case arch

    /// The family of this machine; nil when it is none of them.
    public static let ofThisMachine: PackageFamily? = ["/etc/os-release", "/usr/lib/os-release"].lazy
        .compactMap(text).first.flatMap { PackageFamily(release: $0) }

    /// Reads a text as that of os-release(5): `ID`, then the words of `ID_LIKE`, closest relatives first.
    package init?(release text: String) {
        var fields: [Substring: [Substring]] = [:]
        for line in text.split(separator: "\n") {
            guard let sign = line.firstIndex(of: "=") else { continue }
            let value = line[line.index(after: sign)...].filter { $0 != "\"" && $0 != "'" }
            fields[line[..<sign]] = Substring(value).split(separator: " ")
        }
        let names = (fields["ID"] ?? []) + (fields["ID_LIKE"] ?? [])
        guard let family = names.lazy.compactMap({ Self.byName[$0] }).first else { return nil }
        self = family
    }

    private static let byName: [Substring: PackageFamily] = [
        "debian": .debian, "ubuntu": .debian, "fedora": .fedora, "rhel": .fedora, "centos": .fedora, "arch": .arch,
    ]

    /// The beginning of a file; nil when it can't be read.
    private static func text(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = read(descriptor, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }
}

extension NeededElement {
    /// The package that has it in such a system.
    public func package(of family: PackageFamily) -> String {
        switch family {
        case .debian: debianPackage
        case .fedora: fedoraPackage
        case .arch: archPackage
        }
    }
}
