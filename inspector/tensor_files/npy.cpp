#include "inspector/tensor_files/npy.h"

#include "runtime/core/byte_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace et::inspector {
namespace {

using archive::ZipArchive;
using core::ErrorCode;
using core::fail;
using core::Result;
using core::ScalarType;

constexpr std::string_view ending = ".npy";

/// "arr_" and 12 for "arr_12.npy".
struct NumberedName {
    std::string_view word;
    std::uint64_t number = 0;
};

std::optional<NumberedName> numbered(std::string_view name) {
    name.remove_suffix(ending.size());
    const std::size_t last = name.find_last_not_of("0123456789");
    const std::size_t digits = last == std::string_view::npos ? 0 : last + 1;
    NumberedName out{.word = name.substr(0, digits)};
    const char* const end = name.data() + name.size();
    const auto [parsed, error] = std::from_chars(name.data() + digits, end, out.number);
    return error == std::errc{} && parsed == end ? std::optional(out) : std::nullopt;
}

std::vector<const ZipArchive::Entry*> inOrder(const ZipArchive& zip) {
    std::vector<const ZipArchive::Entry*> entries;
    bool allNumbered = true;
    for (const ZipArchive::Entry& entry : zip.entries()) {
        const auto name = numbered(entry.name);
        allNumbered = allNumbered && name && name->word == numbered(zip.entries().front().name)->word;
        entries.push_back(&entry);
    }
    if (allNumbered) {
        std::ranges::stable_sort(
            entries, {}, [](const ZipArchive::Entry* entry) { return numbered(entry->name)->number; });
    }
    return entries;
}

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t headerAlignment = 64;

/// NumPy's name of a dtype, without byte order.
struct NpyType {
    std::string_view name;
    ScalarType type;
    std::uint8_t swapped;  ///< unit of byte swapping if the byte order differs; 1: no byte order
};
constexpr std::array types{
    NpyType{"u1", ScalarType::Byte, 1},         NpyType{"i1", ScalarType::Char, 1},
    NpyType{"b1", ScalarType::Bool, 1},         NpyType{"i2", ScalarType::Short, 2},
    NpyType{"i4", ScalarType::Int, 4},          NpyType{"i8", ScalarType::Long, 8},
    NpyType{"u2", ScalarType::UInt16, 2},       NpyType{"u4", ScalarType::UInt32, 4},
    NpyType{"u8", ScalarType::UInt64, 8},       NpyType{"f2", ScalarType::Half, 2},
    NpyType{"f4", ScalarType::Float, 4},        NpyType{"f8", ScalarType::Double, 8},
    NpyType{"c8", ScalarType::ComplexFloat, 4}, NpyType{"c16", ScalarType::ComplexDouble, 8},
    NpyType{"V2", ScalarType::BFloat16, 2},
};

/// The header: a Python dictionary literal with these three keys in any order.
struct Header {
    std::string_view descr;
    bool fortranOrder = false;
    std::vector<std::int64_t> shape;
};

/// Parses the literals in such a dictionary.
class LiteralReader {
  public:
    explicit LiteralReader(std::string_view literals) : text(literals) {}

    /// Consumes `word` if it is next, after blanks.
    bool take(std::string_view word) {
        text.remove_prefix(std::min(text.find_first_not_of(" \n"), text.size()));
        if (!text.starts_with(word)) {
            return false;
        }
        text.remove_prefix(word.size());
        return true;
    }
    Result<std::string_view> quoted() {
        const std::string_view quote = take("'") ? "'" : (take("\"") ? "\"" : "");
        const std::size_t end = quote.empty() ? std::string_view::npos : text.find(quote);
        if (end == std::string_view::npos) {
            return wrong("a quoted string");
        }
        const std::string_view content = text.substr(0, end);
        text.remove_prefix(end + 1);
        return content;
    }
    Result<bool> truth() {
        if (take("True")) {
            return true;
        }
        return take("False") ? Result<bool>(false) : wrong("True or False");
    }
    Result<std::vector<std::int64_t>> tuple() {
        if (!take("(")) {
            return wrong("a tuple of sizes");
        }
        std::vector<std::int64_t> numbers;
        while (!take(")")) {
            take(",");
            if (take(")")) {
                break;
            }
            std::int64_t number = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
            if (error != std::errc{} || number < 0) {
                return wrong("a size");
            }
            text.remove_prefix(static_cast<std::size_t>(end - text.data()));
            take("L");  // Python 2
            numbers.push_back(number);
        }
        return numbers;
    }
    [[nodiscard]] std::unexpected<core::Error> wrong(std::string_view expected) const {
        return fail(ErrorCode::Format,
                    fmt::format("expected {} in the header, got \"{}\"", expected, text.substr(0, 20)));
    }

  private:
    std::string_view text;
};

Result<Header> parseHeader(std::string_view text) {
    LiteralReader reader(text);
    if (!reader.take("{")) {
        return reader.wrong("a dictionary");
    }
    Header header;
    while (!reader.take("}")) {
        reader.take(",");
        if (reader.take("}")) {
            break;
        }
        ET_ASSIGN(const std::string_view key, reader.quoted());
        if (!reader.take(":")) {
            return reader.wrong("a colon");
        }
        if (key == "descr") {
            if (reader.take("[")) {
                return fail(ErrorCode::Unsupported, "structured arrays are not supported");
            }
            ET_ASSIGN(header.descr, reader.quoted());
        } else if (key == "fortran_order") {
            ET_ASSIGN(header.fortranOrder, reader.truth());
        } else if (key == "shape") {
            ET_ASSIGN(header.shape, reader.tuple());
        } else {
            return reader.wrong("descr, fortran_order or shape");
        }
    }
    return header;
}

/// Splits a file into header and data.
Result<std::pair<Header, core::Bytes>> split(core::Bytes bytes) {
    core::ByteReader reader(bytes);
    ET_TRY(reader.take(magic.size(), "magic"));
    ET_ASSIGN(const auto major, reader.read<std::uint8_t>("version"));
    ET_TRY(reader.read<std::uint8_t>("version"));
    if (major < 1 || major > 3) {
        return fail(ErrorCode::Unsupported,
                    fmt::format("expected a .npy file of version 1 to 3, got {}", major));
    }
    std::uint32_t length = 0;
    if (major == 1) {
        ET_ASSIGN(length, reader.read<std::uint16_t>("header length"));
    } else {
        ET_ASSIGN(length, reader.read<std::uint32_t>("header length"));
    }
    ET_ASSIGN(const core::Bytes text, reader.take(length, "header"));
    ET_ASSIGN(Header header, parseHeader(core::textOf(text)));
    return std::pair{std::move(header), bytes.subspan(reader.position())};
}

void swapBytes(std::vector<std::byte>& data, std::size_t width) {
    for (std::size_t at = 0; at + width <= data.size(); at += width) {
        std::reverse(data.begin() + static_cast<std::ptrdiff_t>(at),
                     data.begin() + static_cast<std::ptrdiff_t>(at + width));
    }
}

std::string headerText(std::string_view descr, const core::Sizes& sizes) {
    std::string shape;
    for (const std::int64_t size : sizes) {
        shape += fmt::format("{},{}", size, sizes.size() == 1 ? "" : " ");
    }
    if (sizes.size() > 1) {
        shape.resize(shape.size() - 2);
    }
    std::string text =
        fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descr, shape);
    const std::size_t before = magic.size() + 4;
    const std::size_t whole =
        (before + text.size() + 1 + headerAlignment - 1) / headerAlignment * headerAlignment;
    text.append(whole - before - text.size() - 1, ' ');
    return text + "\n";
}

/// Appends the elements in row-major order.
void appendElements(std::vector<std::byte>& out, const core::Tensor& tensor) {
    if (tensor.isContiguous()) {
        const auto bytes = tensor.rawBytes();
        out.insert(out.end(), bytes.begin(), bytes.end());
        return;
    }
    const std::size_t width = tensor.elementSize();
    core::Sizes index(tensor.dim(), 0);
    std::int64_t at = 0;
    for (std::int64_t element = 0; element < tensor.numel(); ++element) {
        const std::byte* from = tensor.raw() + static_cast<std::size_t>(at) * width;
        out.insert(out.end(), from, from + width);
        for (std::size_t i = tensor.dim(); i-- > 0;) {
            at += tensor.stride(i);
            if (++index[i] < tensor.size(i)) {
                break;
            }
            at -= tensor.stride(i) * tensor.size(i);
            index[i] = 0;
        }
    }
}

}  // namespace

bool isNpz(const ZipArchive& zip) {
    return !zip.entries().empty() && std::ranges::all_of(zip.entries(), [](const ZipArchive::Entry& entry) {
        return entry.name.ends_with(ending);
    });
}

Result<std::vector<HostTensor>> readNpz(const ZipArchive& zip, std::uint64_t maxBytes) {
    std::vector<HostTensor> tensors;
    for (const ZipArchive::Entry* entry : inOrder(zip)) {
        if (entry->bytes > maxBytes) {
            return core::fail(core::ErrorCode::Limit,
                              fmt::format("{} bytes exceed the maximum of {}", entry->bytes, maxBytes),
                              {.field = zip.pathOf(*entry)});
        }
        maxBytes -= entry->bytes;
        ET_ASSIGN(const archive::ZipContent content, zip.read(*entry));
        auto tensor = isNpy(content.bytes())
                          ? readNpy(content.bytes())
                          : Result<HostTensor>(core::fail(core::ErrorCode::Format,
                                                          "expected a .npy file, got something else"));
        if (!tensor) {
            core::Error error = std::move(tensor).error();
            error.where.field = zip.pathOf(*entry);
            return std::unexpected(std::move(error));
        }
        tensor->name = entry->name.substr(0, entry->name.size() - ending.size());
        tensors.push_back(*std::move(tensor));
    }
    return tensors;
}

bool isNpy(core::Bytes bytes) {
    return bytes.size() >= magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

Result<HostTensor> readNpy(core::Bytes bytes) {
    ET_ASSIGN(auto parts, split(bytes));
    const auto& [header, data] = parts;
    const std::string_view order = header.descr.substr(0, 1);
    const std::string_view name = header.descr.substr(std::min<std::size_t>(1, header.descr.size()));
    const auto* found = std::ranges::find(types, name, &NpyType::name);
    if (found == types.end() || !std::string_view("<>|=").contains(order)) {
        return fail(ErrorCode::Unsupported, fmt::format("unsupported dtype '{}'", header.descr));
    }
    const auto expected = core::tensorBytes(static_cast<std::int64_t>(found->type), header.shape);
    if (!expected || static_cast<std::uint64_t>(*expected) != data.size()) {
        return fail(ErrorCode::Format,
                    fmt::format("expected {} bytes of elements, got {}",
                                expected ? std::to_string(*expected) : "fewer than 2^63", data.size()));
    }
    HostTensor tensor{.dtype = found->type, .sizes = header.shape, .dimOrder = {}, .data = {}};
    tensor.data.assign(data.begin(), data.end());
    if (order == ">" && found->swapped > 1) {
        swapBytes(tensor.data, found->swapped);
    }
    if (header.fortranOrder) {
        tensor.dimOrder.resize(tensor.sizes.size());
        std::iota(tensor.dimOrder.rbegin(), tensor.dimOrder.rend(), std::uint8_t{0});
    }
    return tensor;
}

Result<std::vector<std::byte>> writeNpy(const core::Tensor& tensor) {
    const auto* found = std::ranges::find(types, tensor.dtype(), &NpyType::type);
    if (found == types.end()) {
        return fail(ErrorCode::Unsupported,
                    fmt::format("NumPy has no dtype for {}", core::scalarTypeName(tensor.dtype())));
    }
    const std::string descr = (found->swapped > 1 ? "<" : "|") + std::string(found->name);
    const std::string header = headerText(descr, tensor.sizes());
    std::string start(magic);
    start +=
        {'\x01', '\x00', static_cast<char>(header.size() & 0xFFU), static_cast<char>(header.size() >> 8U)};
    start += header;
    const auto raw = std::as_bytes(std::span(start));
    std::vector<std::byte> file(raw.begin(), raw.end());
    file.reserve(file.size() + tensor.bytes());
    appendElements(file, tensor);
    return file;
}

}  // namespace et::inspector
