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
}
