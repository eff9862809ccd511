#include "app/tasks/verify/tolerance_file.h"

#include "runtime/core/mapped_file.h"

#include <fmt/format.h>
#include <fnmatch.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

namespace et::tasks {

namespace fs = std::filesystem;
namespace dom = simdjson::dom;
using core::ErrorCode;
using core::Result;

namespace {

constexpr std::string_view globCharacters = "*?[";

/// Whether the pattern matches the whole path or its last components.
bool matches(const std::string& pattern, const std::string& path) {
    for (std::size_t start = 0; start != std::string::npos;) {
        if (::fnmatch(pattern.c_str(), path.c_str() + start, 0) == 0) {
            return true;
        }
        const std::size_t slash = path.find('/', start);
        start = slash == std::string::npos ? slash : slash + 1;
    }
    return false;
}

}  // namespace

/// Reads the entries. Throws simdjson_error, caught in ToleranceFile::parse().
class ToleranceReader {
  public:
    explicit ToleranceReader(ToleranceFile& file) : into(file) {}

    Result<> read(dom::element root) {
        if (root.is_array()) {
            return list(root, "", true);
        }
        if (!root.is_object()) {
            return core::fail(ErrorCode::Format,
                              "expected a list of tolerances, or an object with such lists");
        }
        const dom::object members = root.get_object().value();
        for (const auto& [key, value] : members) {
            if (value.is_array()) {
                ET_TRY(list(value, key, false));
            }
        }
        return {};
    }

  private:
    Result<> list(dom::element value, std::string_view key, bool mustBeEntries) {
        const dom::array items = value.get_array().value();
        std::size_t index = 0;
        for (const dom::element item : items) {
            const std::string where = fmt::format("{}[{}]", key, index++);
            if (item.is_object()) {
                ET_TRY(entry(item, where, mustBeEntries));
            } else if (mustBeEntries) {
                return core::fail(ErrorCode::Format, "expected an object with \"file\"", {.field = where});
            }
        }
        return {};
    }

    Result<> entry(dom::element item, const std::string& where, bool mustBeEntry) {
        std::vector<std::string> names = namesIn(item);
        ToleranceFile::Entry entry;
        ET_TRY(allowances(item, "", where, entry));
        if (dom::element dtypes; item["dtypes"].get(dtypes) == simdjson::SUCCESS && dtypes.is_object()) {
            const dom::object members = dtypes.get_object().value();
            for (const auto& [dtype, value] : members) {
                ET_TRY(allowances(value, fmt::format("{}=", dtype), fmt::format("{}.dtypes.{}", where, dtype),
                                  entry));
            }
        }
        ET_TRY(limits(item, where, entry.limits));
        const bool says = !entry.relative.empty() || !entry.absolute.empty() || entry.limits.any();
        if (mustBeEntry && (names.empty() || !says)) {
            return core::fail(ErrorCode::Format,
                              "expected \"file\" (or \"files\") and \"rtol\", \"atol\" or a limit",
                              {.field = where});
        }
        for (std::string& name : names) {
            if (says) {
                into.entries.push_back(entry);
                into.entries.back().pattern = std::move(name);
            }
        }
        return {};
    }

    static std::vector<std::string> namesIn(dom::element item) {
        std::vector<std::string> names;
        if (std::string_view name; item["file"].get(name) == simdjson::SUCCESS) {
            names.emplace_back(name);
        }
        if (dom::array files; item["files"].get(files) == simdjson::SUCCESS) {
            for (const dom::element each : files) {
                if (std::string_view name; each.get(name) == simdjson::SUCCESS) {
                    names.emplace_back(name);
                }
            }
        }
        return names;
    }

    static Result<> allowances(dom::element object, const std::string& prefix, const std::string& where,
                               ToleranceFile::Entry& entry) {
        for (const auto& [key, values] :
             {std::pair("rtol", &entry.relative), std::pair("atol", &entry.absolute)}) {
            dom::element value;
            if (object[key].get(value) != simdjson::SUCCESS) {
                continue;
            }
            double number = 0;
            if (value.get(number) != simdjson::SUCCESS || number < 0) {
                return core::fail(ErrorCode::Format, "expected a non-negative number",
                                  {.field = fmt::format("{}.{}", where, key)});
            }
            values->push_back(fmt::format("{}{}", prefix, number));
        }
        return {};
    }

    static Result<> limits(dom::element object, const std::string& where, AskedLimits& found) {
        constexpr std::array numbers{std::pair("steps", &AskedLimits::steps),
                                     std::pair("sqnr", &AskedLimits::sqnr),
                                     std::pair("cosine", &AskedLimits::cosine)};
        for (const auto& [key, target] : numbers) {
            dom::element value;
            if (object[key].get(value) != simdjson::SUCCESS) {
                continue;
            }
            double number = 0;
            if (value.get(number) != simdjson::SUCCESS || (target == &AskedLimits::steps && number < 0)) {
                return core::fail(ErrorCode::Format, "expected a number",
                                  {.field = fmt::format("{}.{}", where, key)});
            }
            found.*target = number;
        }
        if (dom::element value; object["top1"].get(value) == simdjson::SUCCESS) {
            if (value.get(found.top1) != simdjson::SUCCESS) {
                return core::fail(ErrorCode::Format, "expected true or false",
                                  {.field = fmt::format("{}.top1", where)});
            }
        }
        return {};
    }

    ToleranceFile& into;
};

Result<ToleranceFile> ToleranceFile::open(const fs::path& path) {
    ET_ASSIGN(const auto file, core::MappedFile::open(path));
    const core::Bytes bytes = file->bytes();
    auto read = parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    if (!read) {
        return std::unexpected(std::move(read).error().in(path.string()));
    }
    return read;
}

Result<ToleranceFile> ToleranceFile::parse(std::string_view json) {
    ToleranceFile file;
    try {
        dom::parser parser;
        const simdjson::padded_string padded(json);
        ET_TRY(ToleranceReader(file).read(parser.parse(padded)));
    } catch (const simdjson::simdjson_error& error) {
        return core::fail(ErrorCode::Format, fmt::format("expected JSON: {}", error.what()));
    }
    if (file.entries.empty()) {
        return core::fail(ErrorCode::Format,
                          "expected an entry with \"file\" and \"rtol\" or \"atol\", got none");
    }
    file.index();
    return file;
}

void ToleranceFile::index() {
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const std::string& pattern = entries[i].pattern;
        const std::string name = pattern.substr(pattern.rfind('/') + 1);
        if (name.find_first_of(globCharacters) == std::string::npos) {
            byName.emplace(name, i);
        } else {
            patterns.push_back(i);
        }
    }
}

Result<VerifySettings> ToleranceFile::settingsFor(const fs::path& file,
                                                  const VerifySettings& settings) const {
    std::error_code unknown;
    const fs::path whole = fs::absolute(file, unknown);
    const std::string path = (unknown ? file : whole).lexically_normal().string();
    std::vector<std::size_t> candidates = patterns;
    const auto [first, last] = byName.equal_range(file.filename().string());
    for (auto each = first; each != last; ++each) {
        candidates.push_back(each->second);
    }
    std::ranges::sort(candidates);
    VerifySettings result = settings;
    result.tolerances.relative.clear();
    result.tolerances.absolute.clear();
    result.limits = {};
    for (const std::size_t i : candidates) {
        if (matches(entries[i].pattern, path)) {
            std::ranges::copy(entries[i].relative, std::back_inserter(result.tolerances.relative));
            std::ranges::copy(entries[i].absolute, std::back_inserter(result.tolerances.absolute));
            result.limits = entries[i].limits.over(result.limits);
        }
    }
    std::ranges::copy(settings.tolerances.relative, std::back_inserter(result.tolerances.relative));
    std::ranges::copy(settings.tolerances.absolute, std::back_inserter(result.tolerances.absolute));
    result.limits = settings.limits.over(result.limits);
    ET_ASSIGN(result.cases.tolerances, parseTolerances(result.tolerances));
    return result;
}

}  // namespace et::tasks
