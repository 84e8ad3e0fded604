import BaseKit
import Cryptography
import NIOCore
import SMP
import SMPSession

/// Runs the client machine on a channel of blocks.
final class ClientChannelHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    typealias Completion = @Sendable (Result<BrokerMessage, RelayRequestError>) -> Void

    /// What is known once the hellos are exchanged.
    struct Ready: Sendable {
        let version: SMPVersion
        let sessionID: [UInt8]
        let forwarding: ForwardingDetails?
        let handler: NIOLoopBound<ClientChannelHandler>
    }

    private let configuration: TransportConfiguration
    private let ready: EventLoopPromise<Ready>
    private let events: PacedStream<RelayEvent>.Continuation
    private var machine: ClientMachine
    private var keepAlive: KeepAlive?
    private var waiting: [Int: Completion] = [:]
    private var deadlines = RequestDeadlines()
    private var deadlineTimer: (due: Instant, task: Scheduled<Void>)?
    private var nextNumber = 0
    /// Those that ask only whether the relay is there.
    private var pings: Set<Int> = []
    private var context: ChannelHandlerContext?
    private var sessionID: [UInt8] = []
    private var reason: TransportError?
    /// Since when nothing is read from the socket because the events' reader is behind. Answers wait unread meanwhile, so no request
    /// is late and the relay not silent.
    private var pausedAt: Instant?
    var isPaused: Bool { pausedAt != nil }
    private var stage = TransportStage.tls
    private var setUpTimeout: Scheduled<Void>?
    private var keepAliveTimer: Scheduled<Void>?

    init(
        configuration: TransportConfiguration, keyHash: [UInt8], ready: EventLoopPromise<Ready>,
        events: PacedStream<RelayEvent>.Continuation
    ) {
        self.configuration = configuration
        self.ready = ready
        self.events = events
        machine = ClientMachine(
            versions: configuration.versions, keyHash: keyHash, sessionKey: .init(), isProxy: configuration.isProxy)
    }

    // MARK: Channel

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelActive(context: ChannelHandlerContext) {
        startSetUpTimeout(context)
        context.fireChannelActive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let details = event as? TLSDetails {
            sessionID = details.sessionID
            stage = .hello
            machine.tlsEstablished(details)
            startSetUpTimeout(context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        keepAlive?.received(now: .now)
        let block = unwrapInboundIn(data)
        perform(machine.received(Array(block.readableBytesView)), context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        finish(TransportError(channelError: error), context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish(.closedByPeer, context)
        context.fireChannelInactive()
    }

    // MARK: Requests

    /// Sends requests in as few blocks as possible; each completion is called once.
    func submit(_ requests: [(RelayRequest, Completion)]) {
        guard let context else {
            for (_, completion) in requests { completion(.failure(.notConnected(reason ?? .closed))) }
            return
        }
        var numbered: [(number: Int, request: RelayRequest)] = []
        for (request, completion) in requests {
            waiting[nextNumber] = completion
            numbered.append((nextNumber, request))
            nextNumber += 1
        }
        perform(machine.submit(numbered), context)
        let deadline = Instant.now + timeout(requests.map(\.0))
        deadlines.add(nextNumber - numbered.count..<nextNumber, at: deadline)
        scheduleTimer(at: deadline, context)
    }

    /// Closes the connection from this side.
    func close(_ reason: TransportError) {
        if let context { finish(reason, context) }
    }

    /// A batch that fills several blocks takes its time on a slow line.
    private func timeout(_ requests: [RelayRequest]) -> Duration {
        let longest = requests.map { configuration.timeout(of: $0.command) }.max() ?? configuration.commandTimeout
        return longest + .milliseconds(20) * requests.count
    }

    /// One timer serves all requests: most are answered long before their time is over.
    private func scheduleTimer(at deadline: Instant, _ context: ChannelHandlerContext) {
        guard !isPaused else { return }
        if let deadlineTimer {
            guard deadline < deadlineTimer.due else { return }
            deadlineTimer.task.cancel()
        }
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        let timer = context.eventLoop.scheduleTask(in: TimeAmount(deadline - .now)) { bound.value.timeOut() }
        deadlineTimer = (deadline, timer)
    }

    private func timeOut() {
        guard let context, !isPaused else { return }
        deadlineTimer = nil
        for number in deadlines.take(until: .now) where waiting[number] != nil {
            let isPing = pings.remove(number) != nil
            perform(machine.timedOut(number), context)
            if !isPing { suspect(context) }
        }
        if let next = deadlines.next(where: { waiting[$0] != nil }) { scheduleTimer(at: next, context) }
    }

    private func perform(_ effects: [ClientMachine.Effect], _ context: ChannelHandlerContext) {
        var wrote = false
        for effect in effects {
            switch effect {
            case .send(let block):
                context.write(wrapOutboundOut(context.channel.allocator.buffer(bytes: block)), promise: nil)
                wrote = true
            case .ready(let version): becomeReady(version, context)
            case .settle(let number, let result):
                pings.remove(number)
                waiting.removeValue(forKey: number)?(result)
            case .event(let event): tell(event, context)
            case .fail(let reason): finish(reason, context)
            }
        }
        if wrote { context.flush() }
    }

    /// A reader that falls behind stops the reading from the socket, so that the relay has to wait as well.
    private func tell(_ event: RelayEvent, _ context: ChannelHandlerContext) {
        guard !events.yield(event), !isPaused else { return }
        pausedAt = .now
        deadlineTimer?.task.cancel()
        deadlineTimer = nil
        setReading(false, context)
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        let eventLoop = context.eventLoop
        events.whenRoom { eventLoop.execute { bound.value.goOn() } }
    }

    private func goOn() {
        guard let pausedAt else { return }
        self.pausedAt = nil
        guard let context, reason == nil else { return }
        deadlines.postpone(by: .now - pausedAt)
        if let next = deadlines.next(where: { waiting[$0] != nil }) { scheduleTimer(at: next, context) }
        keepAlive?.received(now: .now)
        setReading(true, context)
        checkKeepAlive(context)
    }

    private func setReading(_ reads: Bool, _ context: ChannelHandlerContext) {
        context.channel.setOption(.autoRead, value: reads).whenFailure { _ in }
    }

    private func becomeReady(_ version: SMPVersion, _ context: ChannelHandlerContext) {
        setUpTimeout?.cancel()
        events.yield(.up(version))
        ready.succeed(
            Ready(
                version: version, sessionID: sessionID, forwarding: machine.forwarding,
                handler: NIOLoopBound(self, eventLoop: context.eventLoop)))
        keepAlive = KeepAlive(interval: configuration.keepAliveInterval, now: .now)
        checkKeepAlive(context)
    }

    // MARK: Time and end

    private func startSetUpTimeout(_ context: ChannelHandlerContext) {
        setUpTimeout?.cancel()
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        setUpTimeout = context.eventLoop.scheduleTask(in: TimeAmount(configuration.connectTimeout)) {
            bound.value.close(.timeout(bound.value.stage))
        }
    }

    /// A request was not answered in its time: perhaps nothing comes through any more.
    private func suspect(_ context: ChannelHandlerContext) {
        keepAlive?.requestTimedOut(after: configuration.commandTimeout, now: .now)
        checkKeepAlive(context)
    }

    private func checkKeepAlive(_ context: ChannelHandlerContext) {
        guard !isPaused, let action = keepAlive?.check(now: .now) else { return }
        switch action {
        case .drop: finish(.silent, context)
        case .wait(let time): scheduleKeepAlive(at: time, context)
        case .ping:
            let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
            let completion: Completion = { result in
                guard result == .failure(.timeout), let context = bound.value.context else { return }
                bound.value.keepAlive?.pingTimedOut()
                bound.value.checkKeepAlive(context)
            }
            pings.insert(nextNumber)
            submit([(RelayRequest(.ping), completion)])
            checkKeepAlive(context)
        }
    }

    private func scheduleKeepAlive(at time: Instant, _ context: ChannelHandlerContext) {
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        keepAliveTimer?.cancel()
        keepAliveTimer = context.eventLoop.scheduleTask(in: TimeAmount(time - .now)) {
            guard let context = bound.value.context else { return }
            bound.value.checkKeepAlive(context)
        }
    }

    private func finish(_ reason: TransportError, _ context: ChannelHandlerContext) {
        guard self.reason == nil else { return }
        self.reason = reason
        setUpTimeout?.cancel()
        keepAliveTimer?.cancel()
        deadlineTimer?.task.cancel()
        keepAlive = nil
        ready.fail(reason)
        perform(machine.closed(reason), context)
        let rest = waiting
        waiting = [:]
        for completion in rest.values { completion(.failure(.interrupted(reason))) }
        events.yield(.down(reason))
        events.finish()
        context.close(promise: nil)
    }
}
