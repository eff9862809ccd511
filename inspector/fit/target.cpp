#include "inspector/fit/target.h"

#include "inspector/fit/settings_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <functional>
#include <limits>
#include <system_error>

namespace et::inspector {
namespace {

using core::Result;
using enum Feature;

/// In the order of Feature.
constexpr std::array features{
    FeatureInfo{Segments, "segments", "export without extract_delegate_segments"},
    FeatureInfo{InlineConstants, "inline_constants", "export again with a newer ExecuTorch"},
    FeatureInfo{NamedData, "named_data", "export the delegate's weights inside its payload"},
    FeatureInfo{ExternalData, "external_data", "export without external_constants"},
    FeatureInfo{InitialState, "initial_state", "set the state by an input, or start from zero"},
    FeatureInfo{DynamicShapes, "dynamic_shapes", "export without dynamic_shapes"},
    FeatureInfo{UnboundedShapes, "unbounded_shapes", "set a maximum for every dynamic dimension"},
    FeatureInfo{DimOrders, "dim_orders", "export with tensors in contiguous memory format"},
    FeatureInfo{ControlFlow, "control_flow", "export a model without torch.cond and torch.map"},
    FeatureInfo{Devices, "devices", "plan all memory for the CPU"},
};
static_assert([] {
    for (std::size_t i = 0; i < features.size(); ++i) {
        if (features[i].feature != static_cast<Feature>(i)) {
            return false;
        }
    }
    return true;
}());

class TargetReader {
  public:
    explicit TargetReader(std::string_view name) : file(name) {}

    Result<Target> read(const Setting& root) {
        if (root.map() == nullptr) {
            return wrong(root, "", fmt::format("expected a map, got {}", root.kindName()));
        }
        for (const auto& [key, value] : *root.map()) {
            ET_TRY(readKey(key, *value));
        }
        return target;
    }

  private:
    std::unexpected<core::Error> wrong(const Setting& at, std::string_view key, std::string message) const {
        return core::fail(core::ErrorCode::Format, std::move(message),
                          {.file = file,
                           .field = key.empty() ? fmt::format("line {}", at.line)
                                                : fmt::format("{} in line {}", core::printable(key), at.line),
                           .offset = {}});
    }

    struct Key {
        std::string_view name;
        Result<> (TargetReader::*read)(std::string_view key, const Setting& value);
    };

    static constexpr std::size_t keyCount = 9;
    static const std::array<Key, keyCount>& keys() {
        static constexpr std::array<Key, keyCount> table{{
            {"name", &TargetReader::readName},
            {"pointer_size", &TargetReader::readPointer},
            {"alignment", &TargetReader::readAlignment},
            {"backends", &TargetReader::readBackends},
            {"lacks", &TargetReader::readLacks},
            {"pools", &TargetReader::readPools},
            {"flash_bytes", &TargetReader::readFlash},
            {"ram_bytes", &TargetReader::readRam},
            {"payload", &TargetReader::readPayload},
        }};
        return table;
    }

    Result<> readKey(std::string_view key, const Setting& value) {
        const auto* const found = std::ranges::find(keys(), key, &Key::name);
        if (found == keys().end()) {
            std::vector<std::string_view> names;
            std::ranges::transform(keys(), std::back_inserter(names), &Key::name);
            return wrong(value, key, fmt::format("unknown key; available: {}", fmt::join(names, ", ")));
        }
        return (this->*found->read)(key, value);
    }

    Result<std::string> text(std::string_view key, const Setting& value) const {
        return value.text() == nullptr
                   ? wrong(value, key, fmt::format("expected a string, got {}", value.kindName()))
                   : Result<std::string>(*value.text());
    }

    /// Parses a number of bytes: "262144", "256 KiB", "1 MiB".
    Result<std::uint64_t> bytes(std::string_view key, const Setting& value) const {
        ET_ASSIGN(const std::string given, text(key, value));
        std::uint64_t number = 0;
        const char* const end = given.data() + given.size();
        const auto [stop, error] = std::from_chars(given.data(), end, number);
        std::string_view unit(stop, static_cast<std::size_t>(end - stop));
        unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
        constexpr std::pair<std::string_view, unsigned> units[] = {
            {"", 0}, {"B", 0}, {"KiB", 10}, {"MiB", 20}, {"GiB", 30}};
        const auto* const known =
            std::ranges::find(units, unit, &std::pair<std::string_view, unsigned>::first);
        if (error != std::errc() || known == std::end(units) ||
            number > std::numeric_limits<std::uint64_t>::max() >> known->second) {
            return wrong(value, key,
                         fmt::format("expected a number of bytes such as 262144 or \"256 KiB\", got \"{}\"",
                                     core::printable(given)));
        }
        return number << known->second;
    }

    Result<> readName(std::string_view key, const Setting& value) {
        ET_ASSIGN(target.name, text(key, value));
        return {};
    }
    Result<> readPointer(std::string_view key, const Setting& value) {
        ET_ASSIGN(const std::uint64_t size, bytes(key, value));
        if (size != 4 && size != 8) {
            return wrong(value, key, fmt::format("expected 4 or 8, got {}", size));
        }
        target.pointerBytes = static_cast<unsigned>(size);
        return {};
    }
    Result<> readAlignment(std::string_view key, const Setting& value) {
        ET_ASSIGN(const std::uint64_t size, bytes(key, value));
        if (!std::has_single_bit(size)) {
            return wrong(value, key, fmt::format("expected a power of two, got {}", size));
        }
        target.alignment = size;
        return {};
    }
    Result<> readBackends(std::string_view key, const Setting& value) {
        ET_ASSIGN(const std::vector<std::string> names, texts(key, value));
        target.backends = std::set<std::string>(names.begin(), names.end());
        return {};
    }
    Result<> readLacks(std::string_view key, const Setting& value) {
        ET_ASSIGN(const std::vector<std::string> names, texts(key, value));
        for (const std::string& name : names) {
            const auto* const found = std::ranges::find(features, name, &FeatureInfo::name);
            if (found == features.end()) {
                std::vector<std::string_view> known;
                std::ranges::transform(features, std::back_inserter(known), &FeatureInfo::name);
                return wrong(value, key,
                             fmt::format("unknown \"{}\"; available: {}", core::printable(name),
                                         fmt::join(known, ", ")));
            }
            target.lacks.insert(found->feature);
        }
        return {};
    }
    Result<> readPools(std::string_view key, const Setting& value) {
        if (value.map() == nullptr) {
            return wrong(value, key, fmt::format("expected a map, got {}", value.kindName()));
        }
        const std::pair<std::string_view, std::optional<std::uint64_t>*> pools[] = {
            {"method", &target.methodBytes},
            {"temporary", &target.temporaryBytes},
            {"io", &target.ioBytes},
            {"stack", &target.stackBytes}};
        for (const auto& [name, pool] : *value.map()) {
            const auto* const known =
                std::ranges::find(pools, name, [](const auto& each) { return each.first; });
            const std::string full = fmt::format("pools.{}", name);
            if (known != std::end(pools)) {
                ET_ASSIGN(*known->second, bytes(full, *pool));
            } else if (name == "planned") {
                ET_TRY(readPlanned(full, *pool));
            } else {
                return wrong(*pool, full, "unknown key; available: method, planned, temporary, io, stack");
            }
        }
        return {};
    }
    Result<> readPlanned(std::string_view key, const Setting& value) {
        target.plannedTogether = value.list() == nullptr;
        if (value.list() == nullptr) {
            ET_ASSIGN(const std::uint64_t size, bytes(key, value));
            target.plannedBytes = {size};
            return {};
        }
        for (const Setting::Pointer& item : *value.list()) {
            ET_ASSIGN(const std::uint64_t size, bytes(key, *item));
            target.plannedBytes.push_back(size);
        }
        return {};
    }
    Result<> readFlash(std::string_view key, const Setting& value) {
        ET_ASSIGN(target.flashBytes, bytes(key, value));
        return {};
    }
    Result<> readRam(std::string_view key, const Setting& value) {
        ET_ASSIGN(target.ramBytes, bytes(key, value));
        return {};
    }
    Result<> readPayload(std::string_view key, const Setting& value) {
        ET_ASSIGN(const std::string where, text(key, value));
        if (where != "in place" && where != "copied") {
            return wrong(
                value, key,
                fmt::format("expected \"in place\" or \"copied\", got \"{}\"", core::printable(where)));
        }
        target.inPlace = where == "in place";
        return {};
    }

    Result<std::vector<std::string>> texts(std::string_view key, const Setting& value) const {
        std::vector<std::string> out;
        if (value.list() == nullptr && !value.isNull()) {
            return wrong(value, key, fmt::format("expected a list, got {}", value.kindName()));
        }
        for (const Setting::Pointer& item : value.isNull() ? Setting::List() : *value.list()) {
            ET_ASSIGN(std::string each, text(key, *item));
            out.push_back(std::move(each));
        }
        return out;
    }

    std::string file;
    Target target;
};

}  // namespace

const FeatureInfo& traits(Feature feature) {
    return features[static_cast<std::size_t>(feature)];
}

Result<Target> readTarget(std::string_view text, std::string_view file) {
    ET_ASSIGN(const Setting::Pointer root, readSettings(text, file));
    return TargetReader(file).read(*root);
}

}  // namespace et::inspector
