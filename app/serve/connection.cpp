#include "app/serve/connection.h"

#include "app/serve/current.h"

#include <utility>

namespace et::serve {
namespace {

using core::ErrorCode;
using core::Result;

}  // namespace

void Connection::serve() {
    const Current<Cancellation> cancelled(cancellation);
    const Current<KernelCaller> caller(*this);
    while (auto frame = channel.receive()) {
        if (frame->kind != FrameKind::Call || !answer(*std::move(frame))) {
            return;
        }
    }
}

Result<> Connection::takeArena(Frame& frame) {
    if (frame.descriptors.empty()) {
        return {};
    }
    ET_ASSIGN(arena, SharedMemory::map(std::move(frame.descriptors.front())));
    return {};
}

Result<> Connection::answer(Frame frame) {
    ET_TRY(takeArena(frame));
    // A nested call may replace the arena.
    const std::shared_ptr<const SharedMemory> memory = arena;
    const Calls::Answer answer = calls.answer(frame.payload, memory, channel.passesDescriptors());
    auto sent = channel.send(answer.kind, answer.message);
    if (!sent) {
        objects.remove(answer.added);  // nobody knows their numbers
    }
    return sent;
}

Result<List> Connection::readReply(const Frame& frame) {
    wire::Decoder in(frame.payload);
    ET_TRY(calls.release(in));
    if (frame.kind == FrameKind::Raised) {
        ET_ASSIGN(const std::string_view message, in.text("message"));
        return core::fail(ErrorCode::InvalidArgument, core::printable(message));
    }
    ValueReader reader(in, objects, arena);
    ET_ASSIGN(Value results, reader.read());
    if (auto* const list = results.as<List>()) {
        return std::move(*list);
    }
    return core::fail(ErrorCode::Format, "expected a list of results");
}

Result<List> Connection::call(std::uint64_t kernel, List inputs, List results) {
    ValueWriter writer(objects, channel.passesDescriptors());
    writer.addNumber(kernel);
    writer.add(tupleOf(std::move(inputs), std::move(results)));
    ET_ASSIGN(const Message message, writer.take());
    ET_TRY(channel.send(FrameKind::Callback, message));
    while (true) {
        auto frame = channel.receive();
        if (!frame) {
            return core::fail(ErrorCode::Cancelled, "Python has closed the connection");
        }
        if (frame->kind == FrameKind::Call) {
            ET_TRY(answer(*std::move(frame)));
            continue;
        }
        ET_TRY(takeArena(*frame));
        auto reply = readReply(*frame);
        objects.remove(writer.added());
        return reply;
    }
}

}  // namespace et::serve
