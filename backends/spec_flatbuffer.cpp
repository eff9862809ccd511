#include "backends/spec_flatbuffer.h"

#include "backends/payload_bytes.h"
#include "backends/payload_info.h"
#include "backends/spec_text.h"

#include <flatbuffers/flatbuffers.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::backends {
namespace {

using core::ErrorCode;
using core::Result;
using flatbuffers::Offset;
using flatbuffers::String;
using flatbuffers::Table;
using flatbuffers::Vector;
using flatbuffers::voffset_t;

constexpr std::size_t maxFlatSettings = 1024;
constexpr std::size_t maxFlatBytes = std::size_t{1} << 20;

voffset_t slotOf(std::size_t field) {
    return static_cast<voffset_t>(2 * sizeof(voffset_t) + field * sizeof(voffset_t));
}

/// Reads a flatbuffer as one schema. Offsets are checked where they are followed.
class FlatReader {
  public:
    explicit FlatReader(core::Bytes from)
        : start(reinterpret_cast<const std::uint8_t*>(from.data())),
          verifier(start, from.size(), maxDepth, maxTables),
          coverage(from) {}

    Result<> read(const FlatTable& schema) {
        if (verifier.VerifyOffset(0) == 0 || !hasIdentifier(schema.identifier)) {
            return damagedSpec();
        }
        coverage.add(start, sizeof(std::uint32_t) + schema.identifier.size());
        return readTable(flatbuffers::GetRoot<Table>(start), schema, "");
    }

    /// Values and fields that the schema does not have.
    std::size_t doubts = 0;
    std::vector<SpecSetting> settings;

    [[nodiscard]] std::uint64_t opaqueBytes() const { return coverage.count().opaque; }

  private:
    static constexpr flatbuffers::uoffset_t maxDepth = 16;
    static constexpr flatbuffers::uoffset_t maxTables = 4096;

    static std::unexpected<core::Error> damagedSpec() {
        return core::fail(ErrorCode::Format,
                          "expected a flatbuffer of the backend's options, got damaged data");
    }

    bool hasIdentifier(std::string_view identifier) const {
        return identifier.empty() ||
               (verifier.Verify(sizeof(std::uint32_t), identifier.size()) &&
                std::memcmp(start + sizeof(std::uint32_t), identifier.data(), identifier.size()) == 0);
    }

    Result<> add(std::string name, std::string value, bool isDefault) {
        if (settings.size() == maxFlatSettings) {
            return core::fail(ErrorCode::Limit,
                              fmt::format("expected at most {} settings, got more", maxFlatSettings));
        }
        settings.push_back({std::move(name), std::move(value), isDefault});
        return {};
    }

    Result<> readTable(const Table* table, const FlatTable& schema, const std::string& prefix) {
        if (!table->VerifyTableStart(verifier)) {
            return damagedSpec();
        }
        coverage.addTable(*table);
        for (std::size_t i = 0; i < schema.fields.size(); ++i) {
            ET_TRY(readField(*table, slotOf(i), schema.fields[i], prefix));
        }
        countUnknownFields(*table, schema.fields.size());
        verifier.EndTable();
        return {};
    }

    /// Fields of a later version of the schema.
    void countUnknownFields(const Table& table, std::size_t described) {
        const std::size_t slots = flatbuffers::ReadScalar<voffset_t>(table.GetVTable()) / sizeof(voffset_t);
        for (std::size_t i = described; i + 2 < slots; ++i) {
            doubts += table.CheckField(slotOf(i)) ? 1 : 0;
        }
    }

    Result<> readField(const Table& table, voffset_t slot, const FlatField& field,
                       const std::string& prefix) {
        const std::string name = prefix + std::string(field.name);
        const bool isAbsent = !table.CheckField(slot);
        switch (field.kind) {
            case FlatKind::Bool: {
                if (!table.VerifyField<std::uint8_t>(verifier, slot, sizeof(std::uint8_t))) {
                    return damagedSpec();
                }
                const auto flag = table.GetField<std::uint8_t>(slot, 0);
                doubts += flag > 1 ? 1 : 0;
                return add(name, flagText(flag), isAbsent);
            }
            case FlatKind::Int32:
                return addNumber<std::int32_t>(table, slot, field, name);
            case FlatKind::UInt32:
                return addNumber<std::uint32_t>(table, slot, field, name);
            case FlatKind::Text:
            case FlatKind::TextList:
            case FlatKind::Table:
            case FlatKind::TableList:
                break;
        }
        if (isAbsent) {
            return {};
        }
        if (!table.VerifyOffset(verifier, slot)) {
            return damagedSpec();
        }
        return readObject(table, slot, field, name);
    }

    template <class T>
    Result<> addNumber(const Table& table, voffset_t slot, const FlatField& field, const std::string& name) {
        if (!table.VerifyField<T>(verifier, slot, sizeof(T))) {
            return damagedSpec();
        }
        const T number = table.GetField<T>(slot, 0);
        const auto label = labelOf(number, field.labels);
        doubts += label || field.labels.empty() ? 0 : 1;
        return add(name, label ? std::string(*label) : fmt::to_string(number), !table.CheckField(slot));
    }

    Result<> readObject(const Table& table, voffset_t slot, const FlatField& field, const std::string& name) {
        switch (field.kind) {
            case FlatKind::Text: {
                ET_ASSIGN(std::string text, readText(table.GetPointer<const String*>(slot)));
                return add(name, std::move(text), false);
            }
            case FlatKind::TextList:
                return readList<String>(table, slot, name, [&](const String* each, const std::string& at) {
                    return readText(each).and_then(
                        [&](std::string text) { return add(at, std::move(text), false); });
                });
            case FlatKind::Table:
                return readTable(table.GetPointer<const Table*>(slot), *field.table, name + ".");
            case FlatKind::TableList:
                return readList<Table>(table, slot, name, [&](const Table* each, const std::string& at) {
                    return readTable(each, *field.table, at + ".");
                });
            case FlatKind::Bool:
            case FlatKind::Int32:
            case FlatKind::UInt32:
                break;
        }
        return {};
    }

    Result<std::string> readText(const String* text) {
        if (!verifier.VerifyString(text)) {
            return damagedSpec();
        }
        coverage.add(text, sizeof(std::uint32_t) + text->size() + 1);
        const auto shown = asText(std::as_bytes(std::span(text->c_str(), text->size())));
        doubts += shown ? 0 : 1;
        return shown ? std::string(*shown) : fmt::format("{} unprintable bytes", text->size());
    }

    template <class Element, class Read>
    Result<> readList(const Table& table, voffset_t slot, const std::string& name, Read&& readElement) {
        const auto* list = table.GetPointer<const Vector<Offset<Element>>*>(slot);
        if (!verifier.VerifyVector(list)) {
            return damagedSpec();
        }
        coverage.addVector(list, sizeof(Offset<Element>));
        for (flatbuffers::uoffset_t i = 0; i < list->size(); ++i) {
            const auto at = static_cast<std::size_t>(list->Data() - start) + i * sizeof(Offset<Element>);
            if (verifier.VerifyOffset(at) == 0) {
                return damagedSpec();
            }
            ET_TRY(readElement(list->Get(i), fmt::format("{}[{}]", name, i)));
        }
        return {};
    }

    const std::uint8_t* start;
    flatbuffers::Verifier verifier;
    ByteCoverage coverage;
};

}  // namespace

Result<SpecValue> decodeFlatbuffer(core::Bytes bytes, std::span<const FlatTable* const> schemas) {
    if (bytes.size() > maxFlatBytes) {
        return core::fail(ErrorCode::Limit,
                          fmt::format("expected at most {} bytes, got {}", maxFlatBytes, bytes.size()));
    }
    // Offsets are relative to aligned addresses, which those in a file need not be.
    std::vector<std::uint64_t> aligned((bytes.size() + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t));
    std::ranges::copy(bytes, reinterpret_cast<std::byte*>(aligned.data()));
    const core::Bytes copy = std::as_bytes(std::span(aligned)).first(bytes.size());
    std::optional<std::size_t> fewest;
    Result<SpecValue> best = core::fail(ErrorCode::Format, "expected a flatbuffer of the backend's options");
    for (const FlatTable* const schema : schemas) {
        FlatReader reader(copy);
        const Result<> read = reader.read(*schema);
        if (!read && !fewest) {
            best = std::unexpected(read.error());
        }
        if (read && (!fewest || reader.doubts < *fewest)) {
            fewest = reader.doubts;
            best = SpecValue{
                .text = {}, .settings = std::move(reader.settings), .opaqueBytes = reader.opaqueBytes()};
        }
    }
    return best;
}

}  // namespace et::backends
