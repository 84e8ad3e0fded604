import MediaRules

extension MissingElements: Worded {
    public var sentence: String { sentence(for: .ofThisMachine) }

    /// The sentence in such a system.
    func sentence(for family: PackageFamily?) -> String {
        tr(
            "Calls are not possible: GStreamer’s %1$s is missing; %2$s.",
            plural: "Calls are not possible: GStreamer’s %1$s are missing; %2$s.", count: elements.count, names,
            advice(for: family))
    }

    /// The sentence where QR codes are to be read.
    public var codesSentence: String { tr("QR codes can’t be read here: %s.", advice(for: .ofThisMachine)) }

    /// What is missing, in words: three elements by their name, more by their number.
    var names: String {
        let named = elements.prefix(3).map { "“\($0.name)”" }
        let rest = elements.count - named.count
        return (rest == 0 ? named : named + [tr("%s more", rest)]).listed
    }

    /// What to do about it on this machine, one sentence.
    var advice: String {
        let words = advice(for: .ofThisMachine)
        return words.prefix(1).uppercased() + words.dropFirst() + "."
    }

    /// What to do about it, in words.
    func advice(for family: PackageFamily?) -> String {
        guard let family else {
            return tr(
                "install %1$s, or what is called %2$s in Fedora and %3$s in Arch", packages(of: .debian).listed,
                packages(of: .fedora).listed, packages(of: .arch).listed)
        }
        return tr("install %s", packages(of: family).listed)
    }
}
