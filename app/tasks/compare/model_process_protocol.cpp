#include "app/tasks/compare/model_process_protocol.h"

#include "runtime/core/byte_reader.h"

#include <cstring>
#include <string_view>
#include <utility>

namespace et::tasks::model_process {
namespace {

using core::ByteReader;
using core::Bytes;
using core::Result;

/// Writes numbers in 8 bytes, and byte strings after their length.
class Writer {
  public:
    Writer& add(std::uint64_t number) {
        const auto* raw = reinterpret_cast<const std::byte*>(&number);
        bytes.insert(bytes.end(), raw, raw + sizeof number);
        return *this;
    }
    Writer& add(Bytes block) {
        add(std::uint64_t{block.size()});
        bytes.insert(bytes.end(), block.begin(), block.end());
        return *this;
    }
    Writer& add(std::string_view text) { return add(std::as_bytes(std::span(text))); }
    std::vector<std::byte> take() { return std::move(bytes); }

  private:
    std::vector<std::byte> bytes;
};

/// Reads data written by the same program; it may be truncated if the process died.
class Reader {
  public:
    explicit Reader(Bytes all) : reader(all) {}

    Result<std::uint64_t> number() { return reader.read<std::uint64_t>("reply"); }
    Result<Bytes> block() {
        ET_ASSIGN(const std::uint64_t size, number());
        return reader.take(size, "reply");
    }
    Result<std::string> text() {
        ET_ASSIGN(const Bytes characters, block());
        return std::string(reinterpret_cast<const char*>(characters.data()), characters.size());
    }

  private:
    ByteReader reader;
};

Result<core::Error> readError(Bytes bytes) {
    Reader reader(bytes);
    core::Error error;
    ET_ASSIGN(const std::uint64_t code, reader.number());
    error.code = static_cast<core::ErrorCode>(code);
    ET_ASSIGN(error.message, reader.text());
    ET_ASSIGN(error.where.file, reader.text());
    ET_ASSIGN(error.where.field, reader.text());
    return error;
}

}  // namespace

std::vector<std::byte> encode(const core::Error& error) {
    return Writer()
        .add(static_cast<std::uint64_t>(error.code))
        .add(std::string_view(error.message))
        .add(std::string_view(error.where.file))
        .add(std::string_view(error.where.field))
        .take();
}

core::Error decodeError(Bytes bytes) {
    auto error = readError(bytes);
    return error ? *std::move(error) : std::move(error).error();
}

std::vector<std::byte> encode(const ModelProcessResult& result, Bytes outputs) {
    return Writer()
        .add(std::string_view(result.method))
        .add(std::string_view(result.inputs))
        .add(std::uint64_t{result.jobInputs})
        .add(result.threads)
        .add(result.loadNanoseconds)
        .add(result.peakBytes)
        .add(result.counters.ran)
        .add(result.counters.waited)
        .add(result.counters.involuntarySwitches)
        .add(Bytes(result.trace))
        .add(outputs)
        .take();
}

Result<ModelProcessResult> decodeResult(Bytes bytes) {
    Reader reader(bytes);
    ModelProcessResult result;
    ET_ASSIGN(result.method, reader.text());
    ET_ASSIGN(result.inputs, reader.text());
    ET_ASSIGN(const std::uint64_t jobInputs, reader.number());
    result.jobInputs = jobInputs != 0;
    ET_ASSIGN(result.threads, reader.number());
    ET_ASSIGN(result.loadNanoseconds, reader.number());
    ET_ASSIGN(result.peakBytes, reader.number());
    ET_ASSIGN(result.counters.ran, reader.number());
    ET_ASSIGN(result.counters.waited, reader.number());
    ET_ASSIGN(result.counters.involuntarySwitches, reader.number());
    ET_ASSIGN(const Bytes trace, reader.block());
    result.trace.assign(trace.begin(), trace.end());
    ET_ASSIGN(const Bytes outputs, reader.block());
    auto file = core::MappedFile::fromMemory({outputs.begin(), outputs.end()}, "outputs");
    ET_ASSIGN(result.outputs, bundled_program::Bundle::parse(std::move(file)));
    return result;
}

std::vector<std::byte> encode(std::uint64_t number) {
    return Writer().add(number).take();
}

Result<std::uint64_t> decodeNumber(Bytes bytes) {
    return Reader(bytes).number();
}

}  // namespace et::tasks::model_process
