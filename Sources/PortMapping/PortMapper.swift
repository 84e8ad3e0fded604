import BaseKit
import Foundation
import Logging

/// What a ``PortMapper`` has around it; tests put theirs there.
package struct PortMappingSurroundings: Sendable {
    /// The router at present; nil without one.
    package var router: @Sendable () -> IPv4Address?
    /// RFC 6887 §19.1, RFC 6886 §3.
    package var routerPort: UInt16 = 5_351
    package var upnp: any UPnPAsking

    package init(
        router: @escaping @Sendable () -> IPv4Address? = Self.defaultRouter, upnp: any UPnPAsking = UPnPClient()
    ) {
        (self.router, self.upnp) = (router, upnp)
    }

    /// The router of the route that leads everywhere, in IPv4.
    static let defaultRouter: @Sendable () -> IPv4Address? = {
        guard let file = FileHandle(forReadingAtPath: "/proc/net/route"), let data = try? file.read(upToCount: 1 << 20)
        else { return nil }
        return RoutingTable.router(in: String(decoding: data, as: UTF8.self))
    }
}

/// Has the router forward a port of TCP to this machine from ``start()`` to ``stop()``.
package actor PortMapper {
    /// How long ``stop()`` waits for a router that is to forget the port.
    private static let patience = Duration.seconds(3)
    /// How often a router is looked for where there is none.
    private static let pause = Duration.seconds(60)

    /// What becomes of it, for one reader; ends with ``stop()``.
    package nonisolated let states: AsyncStream<PortMappingState>
    private let tell: AsyncStream<PortMappingState>.Continuation
    private let port: UInt16
    private let surroundings: PortMappingSurroundings
    private let log = Logger(label: "im.parley.port-mapping")
    private var machine: PortMappingMachine?
    private var line: RouterLine?
    private var router: IPv4Address?
    /// Counts machines, so that what belonged to an earlier one is told from what does not.
    private var number = 0
    private var timer: Task<Void, Never>?
    private var isStopped = false
    private var ending: CheckedContinuation<Void, Never>?

    /// - Parameter port: that of this machine, and outside if it can be had.
    package init(port: UInt16, _ surroundings: PortMappingSurroundings = PortMappingSurroundings()) {
        (self.port, self.surroundings) = (port, surroundings)
        (states, tell) = AsyncStream.makeStream()
    }

    /// Begins to ask.
    package func start() async {
        guard machine == nil, !isStopped else { return }
        await begin()
    }

    /// The machine is in another network, maybe, or was asleep: asks anew where that changes anything, else whether all is as it was.
    package func networkChanged() async {
        guard !isStopped else { return }
        if let line, surroundings.router() == router, await Self.client(towards: router, surroundings) == line.client {
            perform { machine, now in machine.renew(at: now) }
        } else {
            await begin()
        }
    }

    /// Has the router forget the port, and waits for that, three seconds at most.
    package func stop() async {
        guard !isStopped else { return }
        isStopped = true
        perform { machine, now in machine.stop(at: now) }
        if machine?.isEnded == false {
            let limit = Task { [weak self] in
                try? await Task.sleep(for: Self.patience)
                await self?.finishStop()
            }
            await withCheckedContinuation { ending = $0 }
            limit.cancel()
        }
        leave()
        tell.finish()
    }

    private func begin() async {
        leave()
        number += 1
        let number = number
        guard let router = surroundings.router(),
            let line = try? await RouterLine.open(to: router, port: surroundings.routerPort)
        else {
            tell.yield(.unanswered)
            setTimer(to: .now + Self.pause) { [weak self] in await self?.begin() }
            return
        }
        // Another one may have begun meanwhile.
        guard number == self.number, !isStopped else { return line.close() }
        (self.line, self.router) = (line, router)
        machine = PortMappingMachine(port: port, client: line.client, nonce: Self.nonce())
        Task { [weak self, news = line.news] in
            for await news in news { await self?.receive(news, number) }
        }
        perform { machine, now in machine.start(at: now) }
    }

    private static func client(towards router: IPv4Address?, _ surroundings: PortMappingSurroundings) async
        -> IPv4Address?
    {
        guard let router, let line = try? await RouterLine.open(to: router, port: surroundings.routerPort) else {
            return nil
        }
        line.close()
        return line.client
    }

    private static func nonce() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<12).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    private func leave() {
        timer?.cancel()
        line?.close()
        (timer, line, machine) = (nil, nil, nil)
    }

    private func receive(_ news: RouterLine.News, _ number: Int) {
        guard number == self.number else { return }
        perform { machine, now in
            switch news {
            case .datagram(let bytes): machine.receive(bytes, at: now)
            case .nobodyListens: machine.nobodyListens()
            }
        }
    }

    private func perform(_ step: (inout PortMappingMachine, Instant) -> [PortMappingMachine.Action]) {
        guard var machine else { return }
        let actions = step(&machine, .now)
        self.machine = machine
        for action in actions { carryOut(action) }
        if machine.isEnded { return finishStop() }
        guard let next = machine.nextMoment else { return }
        setTimer(to: next) { [weak self] in await self?.perform { machine, now in machine.advance(to: now) } }
    }

    private func carryOut(_ action: PortMappingMachine.Action) {
        switch action {
        case .send(let bytes): line?.send(bytes)
        case .tell(let state):
            log.info("The port in the router: \(state)")
            tell.yield(state)
        case .askUPnP(let request):
            guard let router, let line else { return }
            Task { [weak self, number, upnp = surroundings.upnp, client = line.client] in
                let outcome = await upnp.ask(request, of: router, from: client)
                await self?.receive(outcome, number)
            }
        }
    }

    private func receive(_ outcome: UPnPOutcome, _ number: Int) {
        guard number == self.number else { return }
        perform { machine, now in machine.receive(outcome, at: now) }
    }

    private func setTimer(to moment: Instant, _ action: @escaping @Sendable () async -> Void) {
        timer?.cancel()
        timer = Task {
            try? await Task.sleep(for: max(moment - .now, .zero))
            if !Task.isCancelled { await action() }
        }
    }

    private func finishStop() {
        ending?.resume()
        ending = nil
    }
}
