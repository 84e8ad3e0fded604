/// Elements of GStreamer's that are not installed here; at least one.
public struct MissingElements: Sendable, Hashable {
    /// They, in the order of the list.
    public let elements: [NeededElement]

    /// Nil when there are none.
    public init?(_ elements: [NeededElement]) {
        guard !elements.isEmpty else { return nil }
        self.elements = elements
    }

    /// The packages to install in such a system, each once.
    public func packages(of family: PackageFamily) -> [String] {
        var packages: [String] = []
        for element in elements where !packages.contains(element.package(of: family)) {
            packages.append(element.package(of: family))
        }
        return packages
    }

    /// What is missing, in words: three elements by their name, more by their number.
    public var names: String {
        let named = elements.prefix(3).map { "“\($0.name)”" }
        let rest = elements.count - named.count
        return Self.list(rest == 0 ? named : named + ["\(rest) more"])
    }

    private static func list(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.joined() }
        return words.dropLast().joined(separator: ", ") + " and " + last
    }

    /// What to do about it on this machine, one sentence.
    public var advice: String {
        let words = advice(.ofThisMachine)
        return words.prefix(1).uppercased() + words.dropFirst() + "."
    }

    /// What to do about it, in words.
    package func advice(_ family: PackageFamily?) -> String {
        func packages(_ family: PackageFamily) -> String { Self.list(self.packages(of: family)) }
        guard let family else {
            return "install \(packages(.debian)), or what is called \(packages(.fedora)) in Fedora and "
                + "\(packages(.arch)) in Arch"
        }
        return "install \(packages(family))"
    }

    /// One sentence that names them with their packages.
    package func sentence(_ family: PackageFamily?) -> String {
        "Calls are not possible: GStreamer’s \(names) \(elements.count == 1 ? "is" : "are") missing; \(advice(family))."
    }
}
