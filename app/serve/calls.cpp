#include "app/serve/calls.h"

#include "app/serve/functions.h"

#include <exception>
#include <new>
#include <utility>

namespace et::serve {
namespace {

using core::Result;

Value textOrNone(const std::string& bytes) {
    return bytes.empty() ? Value() : text(core::printable(bytes));
}

/// (exception, text, message, file, field, offset, raised by a kernel)
Value describeFailure(const Failure& failure) {
    const core::Error& error = failure.error;
    return tupleOf(std::string_view(failure.exception), std::string_view(error.toString()),
                   std::string_view(core::printable(error.message)), textOrNone(error.where.file),
                   textOrNone(error.where.field), error.where.offset, failure.isOfKernel);
}

}  // namespace

Calls::Answer Calls::answer(core::Bytes payload, const std::shared_ptr<const SharedMemory>& arena,
                            bool sharesMemory) {
    Failure failure;
    try {
        const Value result = unwrap(call(payload, arena));
        ValueWriter writer(objects, sharesMemory);
        writer.add(result);
        auto message = writer.take();
        if (message) {
            return {.kind = FrameKind::Result, .message = *std::move(message), .added = writer.added()};
        }
        objects.remove(writer.added());
        raise(std::move(message).error());
    } catch (Failure& thrown) {
        failure = std::move(thrown);
    } catch (const std::bad_alloc&) {
        failure = {.exception = "MemoryError", .error = {.message = "out of memory"}};
    } catch (const std::exception& thrown) {
        failure = {.exception = "RunError", .error = {.message = thrown.what()}};
    }
    ValueWriter writer(objects, false);
    writer.add(describeFailure(failure));
    return {.kind = FrameKind::Failed, .message = writer.take().value_or(Message()), .added = {}};
}

Result<> Calls::release(wire::Decoder& in) {
    ET_ASSIGN(const std::uint32_t count, in.count("released objects", sizeof(std::uint64_t)));
    std::vector<std::uint64_t> numbers(count);
    for (std::uint64_t& number : numbers) {
        ET_ASSIGN(number, in.number<std::uint64_t>("released object"));
    }
    objects.remove(numbers);
    return {};
}

Result<Value> Calls::call(core::Bytes payload, const std::shared_ptr<const SharedMemory>& arena) {
    wire::Decoder in(payload);
    ET_TRY(release(in));
    ET_ASSIGN(const std::string_view name, in.text("function"));
    ValueReader reader(in, objects, arena);
    ET_ASSIGN(Value arguments, reader.read());
    ET_TRY(in.end());
    auto* const list = arguments.as<List>();
    const Function* const found = findFunction(name);
    if (found == nullptr || list == nullptr) {
        return core::fail(core::ErrorCode::NotFound, "no function \"" + core::printable(name) + "\"");
    }
    return found->call(*list);
}

}  // namespace et::serve
