import Signaling

/// The handles of a session, and the room that they are in.
struct JanusRooms: Sendable {
    /// The most feeds that are told of, own feeds, and feeds that are received.
    static let maximumFeeds = 64
    static let maximumOwn = 4
    static let maximumSubscriptions = 32

    /// What a handle is for.
    enum Place: Sendable, Equatable {
        /// Questions about rooms.
        case service
        case path(SFUPath)
    }

    struct Subscription: Sendable {
        var handle: Int
        var streams: [VideoRoomStream]
    }

    struct Membership: Sendable {
        var room: SFURoom
        /// What shows the server that who subscribes is in the room, by own feed.
        var privateIDs: [SFUNumber: Int] = [:]
        var feeds: [SFUNumber: SFUFeed] = [:]
        /// Those that came or went since it was asked who is there, while that is not answered.
        var changed: Set<SFUNumber>?
    }

    private(set) var places: [Int: Place] = [:]
    private(set) var service: Int?
    private(set) var own: [SFUNumber: Int] = [:]
    var subscriptions: [SFUNumber: Subscription] = [:]
    var membership: Membership?

    mutating func setService(_ handle: Int) {
        service = handle
        places[handle] = .service
    }

    mutating func addOwn(_ feed: SFUNumber, _ handle: Int) {
        own[feed] = handle
        places[handle] = .path(.own(feed))
    }

    mutating func addSubscription(_ feed: SFUNumber, _ handle: Int) {
        subscriptions[feed] = Subscription(handle: handle, streams: [])
        places[handle] = .path(.feed(feed))
    }

    /// The room is entered by another PIN from now on.
    mutating func setPin(_ pin: SecretText, of room: SFUNumber) {
        if membership?.room.number == room { membership?.room.pin = pin }
    }

    /// That of an own feed that is in the room now.
    var privateID: Int? {
        own.keys.sorted { $0.value < $1.value }.lazy.compactMap { membership?.privateIDs[$0] }.first
    }

    func handle(_ path: SFUPath) -> Int? {
        switch path {
        case .own(let feed): own[feed]
        case .feed(let feed): subscriptions[feed]?.handle
        }
    }

    /// Forgets a path; its handle, if there was one.
    mutating func remove(_ path: SFUPath) -> Int? {
        let handle: Int?
        switch path {
        case .own(let feed): handle = own.removeValue(forKey: feed)
        case .feed(let feed): handle = subscriptions.removeValue(forKey: feed)?.handle
        }
        if let handle { places[handle] = nil }
        return handle
    }

    /// Forgets the room and everything in it; the handles that were there.
    mutating func leave() -> [Int] {
        let handles = own.values.sorted() + subscriptions.values.map(\.handle).sorted()
        for handle in handles { places[handle] = nil }
        (own, subscriptions, membership) = ([:], [:], nil)
        return handles
    }
}
