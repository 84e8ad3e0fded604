import Portal

/// What other programs are told of one call of the log: the same names over the bus and in JSON lines. What is not known of a call is
/// not there.
package struct LogFacts: Equatable, Sendable {
    /// A value of it.
    package enum Value: Equatable, Sendable {
        case text(String)
        case number(Int64)
        case flag(Bool)
        /// Numbers with names.
        case numbers([String: Int64])
        case texts([String])
    }

    /// The values by their names.
    package var values: [String: Value]

    /// With these values.
    package init(_ values: [String: Value]) { self.values = values }

    /// As they are told over the bus, `a{sv}`.
    package var properties: [String: BusValue] {
        values.mapValues { value in
            switch value {
            case .text(let text): .string(text)
            case .number(let number): .int64(number)
            case .flag(let flag): .bool(flag)
            case .numbers(let numbers): .dictionary(numbers.mapValues { .int64($0) })
            case .texts(let texts): .array(texts.map(BusValue.string), of: "s")
            }
        }
    }

    /// Takes over what was told over the bus; values of other types are passed over.
    package init(properties: [String: BusValue]) {
        values = properties.compactMapValues { value in
            if let flag = value.bool { return .flag(flag) }
            if let text = value.string { return .text(text) }
            if let number = value.integer { return .number(Int64(number)) }
            if let texts = value.members { return .texts(texts.compactMap(\.string)) }
            return value.entries.map { .numbers($0.compactMapValues { $0.integer.map(Int64.init) }) }
        }
    }
}

/// Which calls of the log another program asks for. Every condition that is set has to hold.
package struct LogQuery: Equatable, Sendable {
    /// The contacts, each by what stands for it or by its name; nil is everybody.
    package var contacts: [String]?
    /// Whether the contact called; nil is both.
    package var isIncoming: Bool?
    /// Whether with picture; nil is both.
    package var isVideo: Bool?
    /// Only calls that nobody took or declined here.
    package var onlyMissed = false
    /// The results, as the log names them; nil is all.
    package var results: [String]?
    /// Calls that began then or later, in seconds since 1970.
    package var since: Int64?
    /// Calls that began before, in seconds since 1970.
    package var until: Int64?
    /// What the contact's name has in it.
    package var text: String?

    /// Every call.
    package init() {}

    /// As it is told over the bus, `a{sv}`.
    package var properties: [String: BusValue] {
        var properties: [String: BusValue] = [:]
        properties["contacts"] = contacts.map { .array($0.map(BusValue.string), of: "s") }
        properties["incoming"] = isIncoming.map(BusValue.bool)
        properties["video"] = isVideo.map(BusValue.bool)
        if onlyMissed { properties["missed"] = .bool(true) }
        properties["results"] = results.map { .array($0.map(BusValue.string), of: "s") }
        properties["since"] = since.map(BusValue.int64)
        properties["until"] = until.map(BusValue.int64)
        properties["text"] = text.map(BusValue.string)
        return properties
    }

    /// Nil for a condition that is not known or of another type: who asks must not get calls it did not mean.
    package init?(properties: [String: BusValue]) {
        for (name, value) in properties {
            switch name {
            case "contacts": contacts = value.members?.compactMap(\.string)
            case "incoming": isIncoming = value.bool
            case "video": isVideo = value.bool
            case "missed":
                guard let flag = value.bool else { return nil }
                onlyMissed = flag
            case "results": results = value.members?.compactMap(\.string)
            case "since": since = value.integer.map(Int64.init)
            case "until": until = value.integer.map(Int64.init)
            case "text": text = value.string
            default: return nil
            }
        }
        let isUnderstood = Set(self.properties.keys) == Set(properties.keys.filter { $0 != "missed" || onlyMissed })
        guard isUnderstood else { return nil }
    }
}

/// What another program wants of the log.
package enum LogRequest: Equatable, Sendable {
    /// Calls of the log before a number, newest first, so many at most.
    case list(LogQuery, limit: Int, before: Int64)
    /// To delete calls by their numbers.
    case delete([Int64])
    /// To delete all calls.
    case deleteAll
}

/// What became of it.
package enum LogOutcome: Equatable, Sendable {
    /// The calls; `next` is the number to go on before, 0 when there are no more.
    case calls([LogFacts], next: Int64)
    /// It was done.
    case done
    /// It was not done.
    case refused(CallRefusal)
}
