#include "tests/etrecord/pickle_builder.h"

#include "tests/etrecord/zip_builder.h"

namespace et::test {
namespace {

std::string littleEndian(std::uint64_t value, std::size_t bytes) {
    std::string out;
    for (std::size_t i = 0; i < bytes; ++i) {
        out += static_cast<char>(value >> (8 * i));
    }
    return out;
}

}  // namespace

PickleBuilder& PickleBuilder::raw(std::string_view opcodes) {
    out += opcodes;
    return *this;
}

PickleBuilder& PickleBuilder::text(std::string_view value) {
    return raw("X" + littleEndian(value.size(), 4) + std::string(value));
}

PickleBuilder& PickleBuilder::integer(std::int32_t value) {
    return raw("J" + littleEndian(static_cast<std::uint32_t>(value), 4));
}

PickleBuilder& PickleBuilder::long8(std::int64_t value) {
    return raw("\x8a\x08" + littleEndian(static_cast<std::uint64_t>(value), 8));
}

PickleBuilder& PickleBuilder::global(std::string_view module, std::string_view name) {
    return raw("c" + std::string(module) + "\n" + std::string(name) + "\n");
}

PickleBuilder& PickleBuilder::put(std::uint8_t key) {
    return raw("q" + littleEndian(key, 1));
}

PickleBuilder& PickleBuilder::get(std::uint8_t key) {
    return raw("h" + littleEndian(key, 1));
}

PickleBuilder& PickleBuilder::sizes(const std::vector<std::int32_t>& values) {
    raw("(");
    for (const std::int32_t value : values) {
        integer(value);
    }
    return raw("t");
}

PickleBuilder& PickleBuilder::tensor(std::string_view storageClass, std::vector<std::int32_t> shape,
                                     std::string_view key, std::vector<std::int32_t> strides) {
    if (strides.empty()) {
        strides.resize(shape.size());
        std::uint32_t step = 1;  // wraps: tests create invalid tensors
        for (std::size_t i = shape.size(); i-- > 0; step *= static_cast<std::uint32_t>(shape[i])) {
            strides[i] = static_cast<std::int32_t>(step);
        }
    }
    global("torch._utils", "_rebuild_tensor_v2")
        .raw("((")
        .text("storage")
        .global("torch", storageClass)
        .text(key)
        .text("cpu")
        .integer(1)
        .raw("tQ");
    integer(0).sizes(shape).sizes(strides).raw("\x89");
    return global("collections", "OrderedDict").raw(")RtR");
}

std::string torchArchive(const std::string& pickle, const std::string& prefix) {
    return buildZip({
        {.name = prefix + "/data.pkl", .content = pickle},
        {.name = prefix + "/data/0", .content = "....", .method = 0},
        {.name = prefix + "/version", .content = "3\n"},
    });
}

}  // namespace et::test
