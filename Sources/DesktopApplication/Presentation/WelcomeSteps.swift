import Parley

/// The steps from a profile that is not there yet to the contacts, as a value: where the person is, and what is to be done.
struct WelcomeSteps: Equatable {
    /// What is shown.
    enum Step: String, CaseIterable {
        /// How the person is to be seen.
        case person
        /// How Parley works.
        case calls
        /// Camera, microphone and speaker.
        case devices
        /// How others reach the person.
        case reach

        /// From 1 on.
        var number: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }
    }

    /// What is to be done. Nothing else makes, opens or sends anything.
    enum Effect: Equatable {
        /// The profile is made, and opened; nil for a person who gives no name.
        case begin(OwnProfile?)
        /// The profile that is there is changed.
        case change(OwnProfile)
        /// The welcome is over.
        case finish
    }

    /// Where the person is.
    private(set) var step = Step.person
    /// What stands in the fields of the first step.
    var person = OwnProfile(displayName: "")
    /// Whether the profile has been begun, and how.
    private var begun: OwnProfile??
    private var isOpen = false
    /// Whether the person has tried or chosen a device.
    var hasTriedDevices = false
    /// Whether anybody else can open the person's links.
    var isReachable = false

    /// Whether no profile has been begun.
    var isNew: Bool { begun == nil }
    /// Whether one can go back.
    var canGoBack: Bool { step != .person }
    /// Whether the step can be left as it is.
    var canSkip: Bool { step == .person }
    /// Whether going on leaves out what the step is for: then it is called so.
    var goesOnWithoutDoing: Bool {
        switch step {
        case .person, .calls: false
        case .devices: !hasTriedDevices
        case .reach: !isReachable
        }
    }
    /// Whether the profile is waited for.
    var isWaiting: Bool { step == .calls && !isOpen }
    /// Whether one can go on: with a name, and to the devices once the profile has been opened.
    var canGoOn: Bool {
        switch step {
        case .person: OwnProfile.isName(person.displayName)
        case .calls: isOpen
        case .devices, .reach: true
        }
    }

    /// The person takes the step as it stands.
    mutating func goOn() -> Effect? {
        guard canGoOn else { return nil }
        return leave(with: person)
    }

    /// The person leaves the step out.
    mutating func skip() -> Effect? { canSkip ? leave(with: nil) : nil }

    /// The person looks at the step before once more.
    mutating func goBack() {
        guard let index = Step.allCases.firstIndex(of: step), index > 0 else { return }
        step = Step.allCases[index - 1]
    }

    /// The profile has been opened.
    mutating func opened() { isOpen = true }

    private mutating func leave(with person: OwnProfile?) -> Effect? {
        switch step {
        case .person:
            step = .calls
            guard let before = begun else {
                begun = .some(person)
                return .begin(person)
            }
            guard let person, person != before else { return nil }
            begun = .some(person)
            return .change(person)
        case .calls: step = .devices
        case .devices: step = .reach
        case .reach: return .finish
        }
        return nil
    }
}
