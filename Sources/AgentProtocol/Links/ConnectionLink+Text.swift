extension ConnectionLink {
    /// The link as people pass it on.
    public func text(_ scheme: LinkScheme = .simplex) -> String {
        var query = [
            ("v", agentVersions.text),
            ("smp", queues.map(\.text).joined(separator: ";")),
        ]
        let path: String
        switch kind {
        case .invitation(let offer):
            path = "/invitation"
            query.append(("e2e", offer.text))
        case .contact: path = "/contact"
        }
        if let applicationData { query.append(("data", applicationData)) }
        return "\(scheme.prefix)\(path)#/?\(QueryString.encode(query))"
    }

    /// Reads a link with any scheme.
    ///
    /// - Throws: `AgentDecodingError`; `.notALink` when it does not even look like one.
    public init(parsing text: String) throws(AgentDecodingError) {
        let (path, fragment) = try LinkScheme.splitPath(LinkScheme.split(text).rest)
        guard path == "/invitation" || path == "/contact" else { throw .notALink }
        let start = fragment.hasPrefix("/") ? fragment.dropFirst() : fragment
        guard start.hasPrefix("?") else { throw .malformed }
        let query = try QueryString(decoding: start.dropFirst())
        let kind: Kind =
            path == "/contact" ? .contact : .invitation(try RatchetOffer(parsing: query.required("e2e")))
        var queues: [QueueURI] = []
        for queue in try query.required("smp").split(separator: ";") { queues.append(try QueueURI(parsing: queue)) }
        try self.init(
            kind: kind, versions: VersionRange(parsing: query.required("v")), queues: queues,
            applicationData: query["data"])
    }
}
