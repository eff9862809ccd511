// Fuzzes the replies of a process that runs one side of a comparison, which a hostile model may control.
#include "app/tasks/compare/model_process_protocol.h"
#include "bundled_program/writer.h"
#include "tests/fuzz/support/byte_source.h"

#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace {

namespace protocol = et::tasks::model_process;
using et::fuzz::require;

/// Checks that encoded replies are decoded unchanged.
void tell(et::fuzz::ByteSource source) {
    const et::core::Error error{.code = et::core::ErrorCode::Limit,
                                .message = std::string(source.text(20)),
                                .where = {.file = std::string(source.text(9)), .field = "f", .offset = {}}};
    const et::core::Error heard = protocol::decodeError(protocol::encode(error));
    require(heard.message == error.message && heard.where.file == error.where.file);
    const std::byte program{7};
    const et::bundled_program::TestSuite suite{
        .method = "forward",
        .cases = {{.inputs = {}, .expectedOutputs = {source.take<std::int64_t>(), 0.5}}}};
    const auto outputs = et::bundled_program::writeBundle({&program, 1}, {&suite, 1});
    require(outputs.has_value());
    const auto trace = source.bytesOf(30);
    const et::tasks::ModelProcessResult result{.method = std::string(source.text(8)),
                                               .inputs = "random",
                                               .jobInputs = source.oneIn(2),
                                               .threads = source.take<std::uint64_t>(),
                                               .trace = {trace.begin(), trace.end()},
                                               .outputs = nullptr};
    std::vector<std::byte> bytes = protocol::encode(result, *outputs);
    const auto arrived = protocol::decodeResult(bytes);
    require(arrived && arrived->method == result.method && arrived->jobInputs == result.jobInputs &&
            arrived->threads == result.threads && arrived->trace == result.trace);
    // Truncated, or with a byte changed.
    bytes[source.below(bytes.size())] = source.take<std::byte>();
    bytes.resize(bytes.size() - (source.oneIn(2) ? 0 : source.below(bytes.size())));
    std::ignore = protocol::decodeResult(bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    tell({data, size});
    const auto bytes = std::as_bytes(std::span(data, size));
    std::ignore = protocol::decodeError(bytes).toString();
    if (const auto number = protocol::decodeNumber(bytes)) {
        require(protocol::decodeNumber(protocol::encode(*number)).value_or(~*number) == *number);
    }
    if (const auto result = protocol::decodeResult(bytes)) {
        std::ignore = result->outputs;
    } else {
        std::ignore = result.error().toString();
    }
    return 0;
}
