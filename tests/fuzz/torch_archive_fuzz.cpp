// Fuzzes torch archives: a file written by torch.save(), and one written here. Archived tensors must be
// listed and read back.
#include "etrecord/torch_archive.h"
#include "etrecord/torch_writer.h"
#include "tests/fuzz/support/byte_source.h"
#include "tests/fuzz/support/zip_mutator.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using et::core::Bytes;
using et::etrecord::ArchiveValue;
using et::etrecord::TorchArchive;
using et::fuzz::ByteSource;
using et::fuzz::require;

constexpr std::uint64_t maxBytes = 1 << 20;
constexpr std::size_t deepest = 6;

et::core::Result<TorchArchive> open(Bytes bytes) {
    ET_ASSIGN(auto zip,
              et::archive::ZipArchive::open(et::core::MappedFile::fromMemory({bytes.begin(), bytes.end()})));
    return TorchArchive::open(std::move(zip));
}

void read(Bytes bytes) {
    const auto archive = open(bytes);
    if (!archive) {
        std::ignore = archive.error().toString();
        return;
    }
    for (const et::etrecord::TorchTensor& tensor : archive->tensors()) {
        const auto copied = archive->read(tensor, maxBytes);
        const auto loaded = archive->load(tensor, maxBytes);
        require(copied.has_value() == loaded.has_value());
        require(!copied || std::ranges::equal(*copied, loaded->bytes));
    }
}

/// Builds a value from the bytes, with its tensors in order.
class ValueMaker {
  public:
    explicit ValueMaker(ByteSource& from) : source(from) {}

    ArchiveValue make(std::size_t depth = 0) {
        switch (depth >= deepest ? 0 : source.below(5)) {
            case 1:
                return {items(depth)};
            case 2:
                return {ArchiveValue::Tuple{items(depth)}};
            case 3: {
                ArchiveValue::Dict members;
                for (ArchiveValue& item : items(depth)) {
                    // Unique names, as in Python's dictionaries.
                    members.push_back(
                        {std::to_string(members.size()) + std::string(source.text(6)), std::move(item)});
                }
                return {std::move(members)};
            }
            default:
                return {tensor()};
        }
    }
    [[nodiscard]] const std::vector<et::etrecord::TensorToArchive>& tensors() const { return made; }

  private:
    ArchiveValue::List items(std::size_t depth) {
        ArchiveValue::List all;
        for (std::size_t count = source.below(4); count > 0; --count) {
            all.push_back(make(depth + 1));
        }
        return all;
    }
    et::etrecord::TensorToArchive tensor() {
        static constexpr et::core::ScalarType types[] = {
            et::core::ScalarType::Float, et::core::ScalarType::Half,     et::core::ScalarType::Byte,
            et::core::ScalarType::Long,  et::core::ScalarType::BFloat16, et::core::ScalarType::Bool};
        et::etrecord::TensorToArchive one{
            .dtype = source.oneOf(types), .sizes = {}, .elements = {}, .parameter = source.oneIn(2)};
        for (std::size_t dims = source.below(4); dims > 0; --dims) {
            one.sizes.push_back(static_cast<std::int64_t>(source.below(4)));
        }
        const auto bytes = et::core::tensorBytes(static_cast<std::int64_t>(one.dtype), one.sizes).value();
        one.elements = Bytes(zeros).first(static_cast<std::size_t>(bytes));
        made.push_back(one);
        return one;
    }

    ByteSource& source;
    std::vector<et::etrecord::TensorToArchive> made;
    std::vector<std::byte> zeros = std::vector<std::byte>(4096, std::byte{0x5A});
};

void write(ByteSource source) {
    ValueMaker maker(source);
    const auto file = et::etrecord::writeTorchArchive(maker.make());
    require(file.has_value());
    const auto archive = open(*file);
    require(archive && archive->tensors().size() == maker.tensors().size());
    for (std::size_t i = 0; i < maker.tensors().size(); ++i) {
        const auto& written = maker.tensors()[i];
        const auto& found = archive->tensors()[i];
        require(found.sizes == written.sizes && found.scalarType == static_cast<std::int8_t>(written.dtype));
        const auto elements = archive->read(found, maxBytes);
        require(elements && std::ranges::equal(*elements, written.elements));
    }
    read(*file);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Bytes bytes = std::as_bytes(std::span(data, size));
    if (size > 2 && data[0] == 'P' && data[1] == 'K') {
        read(bytes);
    } else {
        write({data, size});
    }
    return 0;
}
