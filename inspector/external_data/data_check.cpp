#include "inspector/external_data/data_check.h"

#include "inspector/external_data/external_needs.h"
#include "inspector/external_data/recorded_weights.h"
#include "inspector/format/checksum.h"
#include "runtime/core/scalar_type.h"
#include "runtime/core/tensor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

namespace et::inspector {
namespace {

using program::TensorDataEntry;
using program::TensorInfo;

constexpr std::size_t hashDigits = 64;

std::string fileName(const std::filesystem::path& path) {
    return core::printable(path.filename().string());
}

/// The SHA-256 in a name: exactly 64 hexadecimal digits in a row. Empty if the name has none.
std::string_view hashIn(std::string_view name) {
    constexpr std::string_view digits = "0123456789abcdef";
    for (std::size_t at = 0; at < name.size();) {
        const std::size_t begin = std::min(name.find_first_of(digits, at), name.size());
        const std::size_t end = std::min(name.find_first_not_of(digits, begin), name.size());
        if (end - begin == hashDigits) {
            return name.substr(begin, hashDigits);
        }
        at = std::max(end, begin + 1);
    }
    return {};
}

/// "float32 [64, 64]", with the dim order if it is not the usual one.
std::string layoutText(std::int8_t scalarType, std::span<const std::int64_t> sizes,
                       std::span<const std::uint8_t> dimOrder) {
    std::string text = fmt::format("{} {}", core::scalarTypeName(scalarType), core::sizesText(sizes));
    if (!std::ranges::is_sorted(dimOrder)) {
        text += fmt::format(" in dim order [{}]", fmt::join(dimOrder, ", "));
    }
    return text;
}

/// A type that a delegate declares.
struct DeclaredType {
    std::int8_t code = 0;
    std::uint64_t bytes = 0;
};

/// Of "float32 [16, 12]"; nothing for types of other forms.
std::optional<DeclaredType> parseType(std::string_view text) {
    const std::size_t end = text.find(" [");
    if (end == std::string_view::npos || !text.ends_with(']')) {
        return std::nullopt;
    }
    const auto known =
        std::ranges::find(core::scalarTypes(), text.substr(0, end), &core::ScalarTypeInfo::torchName);
    std::vector<std::int64_t> sizes;
    for (std::string_view rest = text.substr(end + 2, text.size() - end - 3); !rest.empty();) {
        std::int64_t size = 0;
        const auto [stop, failure] = std::from_chars(rest.begin(), rest.end(), size);
        if (failure != std::errc()) {
            return std::nullopt;
        }
        sizes.push_back(size);
        rest.remove_prefix(static_cast<std::size_t>(stop - rest.begin()));
        rest.remove_prefix(std::min(rest.find_first_not_of(", "), rest.size()));
    }
    const auto bytes =
        known == core::scalarTypes().end() ? std::nullopt : core::tensorBytes(known->code, sizes);
    return bytes
               ? std::optional(DeclaredType{.code = known->code, .bytes = static_cast<std::uint64_t>(*bytes)})
               : std::nullopt;
}

/// As layoutDifference(), for data of a delegate. Compilers permute dimensions, so only dtype and bytes
/// count.
std::optional<std::string> typeDifference(std::string_view type, const TensorDataEntry& entry) {
    constexpr std::uint64_t mostPadding = 64;
    const auto declared = parseType(type);
    if (!declared) {
        return std::nullopt;
    }
    const auto& layout = entry.layout;
    const bool isOther =
        layout ? layout->scalarType != declared->code ||
                     static_cast<std::uint64_t>(layout->byteSize.value_or(0)) != declared->bytes
               : entry.data.size() < declared->bytes || entry.data.size() > declared->bytes + mostPadding;
    if (!isOther) {
        return std::nullopt;
    }
    const std::string actual = layout
                                   ? "is " + layoutText(layout->scalarType, layout->sizes, layout->dimOrder)
                                   : fmt::format("has {} bytes", entry.data.size());
    return fmt::format("{}, but the program expects {} ({} bytes)", actual, core::printable(type),
                       declared->bytes);
}

class DataChecker {
  public:
    explicit DataChecker(const DataQuestion& asked) : question(asked) {}

    DataCheck check() {
        const std::vector<std::string_view> names = namesInFiles();
        needs = externalNeeds(question.program, names);
        out.needed =
            static_cast<std::size_t>(std::ranges::count(needs.needs, false, &ExternalNeed::isOptional));
        out.unknownBackends.assign(needs.unknownBackends.begin(), needs.unknownBackends.end());
        if (question.files.empty()) {
            out.verdict = out.needed == 0 ? DataVerdict::NotNeeded : DataVerdict::Missing;
            return std::move(out);
        }
        for (const ExternalNeed& need : needs.needs) {
            place(need);
        }
        addMissing();
        addUnused();
        for (const Place& each : places) {
            checkLayout(each);
        }
        addLayouts();
        if (out.contradictions.empty()) {
            checkContents();
        }
        const bool isOnlyIncomplete = isIncomplete && out.contradictions.size() == 1;
        out.verdict = isOnlyIncomplete                                    ? DataVerdict::Missing
                      : !out.contradictions.empty()                       ? DataVerdict::Mismatch
                      : out.verified > 0 && out.verified == places.size() ? DataVerdict::Match
                                                                          : DataVerdict::Unverified;
        return std::move(out);
    }

  private:
    /// A needed name in a file.
    struct Place {
        const ExternalNeed* need;
        const TensorDataEntry* entry;
        const DataFile* file;
    };

    [[nodiscard]] std::vector<std::string_view> namesInFiles() const {
        std::set<std::string_view> all;
        for (const DataFile& file : question.files) {
            for (const TensorDataEntry& entry : file.data->entries) {
                all.insert(entry.name);
            }
        }
        return {all.begin(), all.end()};
    }

    void place(const ExternalNeed& need) {
        for (const DataFile& file : question.files) {
            if (const TensorDataEntry* const entry = file.data->find(need.name)) {
                places.push_back({.need = &need, .entry = entry, .file = &file});
                ++out.found;
                out.needed += need.isOptional ? 1 : 0;
                return;
            }
        }
        missing.push_back(&need);
    }

    [[nodiscard]] std::string dataNames() const {
        std::vector<std::string> names;
        std::ranges::transform(question.files, std::back_inserter(names),
                               [](const DataFile& file) { return fileName(file.path); });
        return fmt::format("{}", fmt::join(names, " and "));
    }

    [[nodiscard]] std::string programName() const { return fileName(question.programPath); }

    /// The most frequent cause, and its remedy.
    [[nodiscard]] std::string remedy(const DataFile& file) const {
        return fmt::format(
            "{0} belongs to another export. If a second export wrote {0} into the folder of {1}, it replaced "
            "the weights of {1}: export {1} again into a separate folder",
            fileName(file.path), programName());
    }

    void contradict(const DataFile& file, std::string_view difference) {
        out.contradictions.push_back(
            fmt::format("{}: {}: {}", core::printable(file.path.string()), difference, remedy(file)));
    }

    /// Delegates may look up names that exporters omit, such as buffers of zeros. So a missing name only
    /// tells that files are wrong if they contain none of the names, or also others.
    [[nodiscard]] bool isRequired(const ExternalNeed& need) const {
        return need.isRequired ||
               (!need.isOptional && (places.empty() || (question.isOnlyProgram && hasUnneeded())));
    }

    [[nodiscard]] bool hasUnneeded() const {
        return std::ranges::any_of(question.files, [&](const DataFile& file) {
            return std::ranges::any_of(file.data->entries, [&](const TensorDataEntry& entry) {
                return needs.find(entry.name) == nullptr;
            });
        });
    }

    void addMissing() {
        std::vector<const ExternalNeed*> required;
        std::ranges::copy_if(missing, std::back_inserter(required),
                             [&](const ExternalNeed* need) { return isRequired(*need); });
        if (required.empty()) {
            return;
        }
        const ExternalNeed& first = *required.front();
        const std::string reader =
            first.backend.empty() ? std::string() : fmt::format(" for {}", core::printable(first.backend));
        const std::string more =
            required.size() == 1 ? std::string() : fmt::format(" and {} more", required.size() - 1);
        const std::string difference = fmt::format("{} needs \"{}\"{}{}, which {} {} not contain",
                                                   programName(), core::printable(first.name), more, reader,
                                                   dataNames(), question.files.size() == 1 ? "does" : "do");
        isIncomplete = !places.empty() && !hasUnneeded();
        if (isIncomplete) {
            out.contradictions.push_back(
                fmt::format("{}: {}: give the other weight files of this export, too (--data)",
                            core::printable(question.files.front().path.string()), difference));
        } else {
            contradict(question.files.front(), difference);
        }
    }

    /// A file of which nothing is read.
    void addUnused() {
        if (!question.isOnlyProgram || !needs.unknownBackends.empty() || !out.contradictions.empty()) {
            return;
        }
        for (const DataFile& file : question.files) {
            const bool isUsed = std::ranges::any_of(file.data->entries, [&](const TensorDataEntry& entry) {
                return needs.find(entry.name) != nullptr;
            });
            if (!isUsed && !file.data->entries.empty()) {
                out.contradictions.push_back(fmt::format(
                    "{}: {} reads none of its {} names, such as \"{}\": {} belongs to another program",
                    core::printable(file.path.string()), programName(), file.data->entries.size(),
                    core::printable(file.data->entries.front().name), fileName(file.path)));
            }
        }
    }

    void checkLayout(const Place& at) {
        if (auto difference = at.need->tensor == nullptr ? typeDifference(at.need->type, *at.entry)
                                                         : layoutDifference(*at.need->tensor, *at.entry)) {
            differentLayouts.emplace_back(at, *std::move(difference));
        }
    }

    void addLayouts() {
        if (differentLayouts.empty()) {
            return;
        }
        const auto& [at, difference] = differentLayouts.front();
        const std::string more = differentLayouts.size() == 1
                                     ? std::string()
                                     : fmt::format(", as are {} more", differentLayouts.size() - 1);
        contradict(*at.file, fmt::format("\"{}\" {}{}", core::printable(at.need->name), difference, more));
    }

    /// Hashes first: they also detect damaged data.
    void checkContents() {
        std::optional<RecordedWeights> recorded;
        if (question.record != nullptr) {
            recorded.emplace(*question.record);
        }
        std::vector<const Place*> different;
        std::ranges::sort(places, {}, [](const Place& at) { return at.entry->data.size(); });
        std::uint64_t left = question.contentBytes;
        for (const Place& at : places) {
            if (at.entry->data.size() > left) {
                break;
            }
            left -= at.entry->data.size();
            if (isVerifiedByHash(at)) {
                continue;
            }
            const RecordVerdict verdict = recorded ? compare(*recorded, at) : RecordVerdict::Unknown;
            if (verdict == RecordVerdict::Same) {
                addVerified(fileName(question.recordPath));
            } else if (verdict == RecordVerdict::Different) {
                different.push_back(&at);
            }
        }
        if (!different.empty()) {
            const std::string more = different.size() == 1 ? std::string()
                                                           : fmt::format(" and {} more of {}",
                                                                         different.size() - 1, places.size());
            contradict(*different.front()->file,
                       fmt::format("the contents of \"{}\"{} differ from the weights in {}",
                                   core::printable(different.front()->need->name), more,
                                   fileName(question.recordPath)));
        }
    }

    void addVerified(std::string by) {
        ++out.verified;
        if (!std::ranges::contains(out.verifiedBy, by)) {
            out.verifiedBy.push_back(std::move(by));
        }
    }

    bool isVerifiedByHash(const Place& at) {
        const bool isKnown = !at.need->sha256.empty();
        const std::string_view expected = isKnown ? std::string_view(at.need->sha256) : hashIn(at.need->name);
        if (expected.empty()) {
            return false;
        }
        const std::string actual = format::Sha256().add(at.need->hashedBefore).add(at.entry->data).hex();
        if (actual == expected) {
            addVerified("SHA-256 in the names");
        } else if (isKnown) {
            out.contradictions.push_back(
                fmt::format("{}: \"{}\" has SHA-256 {} instead of the one in its name: the file is damaged, "
                            "or was changed after the export",
                            core::printable(at.file->path.string()), core::printable(at.need->name), actual));
        }
        return actual == expected || isKnown;
    }

    static RecordVerdict compare(const RecordedWeights& recorded, const Place& at) {
        const std::optional<std::int64_t> dense =
            at.entry->layout ? at.entry->layout->byteSize : std::nullopt;
        const core::Bytes data =
            dense ? at.entry->data.first(static_cast<std::size_t>(*dense)) : at.entry->data;
        const RecordVerdict named = recorded.compare(at.need->name, data);
        return named == RecordVerdict::Unknown && !at.entry->layout && at.need->tensor == nullptr
                   ? recorded.compareBlob(data)
                   : named;
    }

    const DataQuestion& question;
    ExternalNeeds needs;
    std::vector<Place> places;
    std::vector<const ExternalNeed*> missing;
    bool isIncomplete = false;  ///< all names in the files are needed, but others are, too
    std::vector<std::pair<Place, std::string>> differentLayouts;
    DataCheck out;
};

std::string pathList(const DataQuestion& question, std::string_view before) {
    std::string text;
    for (const DataFile& file : question.files) {
        text += fmt::format(" {}{}", before, fileName(file.path));
    }
    return text;
}

}  // namespace

std::optional<std::string> layoutDifference(const TensorInfo& tensor, const TensorDataEntry& entry) {
    const std::string expected = layoutText(tensor.scalarType, tensor.sizes, tensor.dimOrder);
    if (!entry.layout) {
        const auto bytes = static_cast<std::uint64_t>(tensor.byteSize.value_or(0));
        return entry.data.size() >= bytes
                   ? std::nullopt
                   : std::optional(fmt::format("has {} bytes, but the program expects {} ({} bytes)",
                                               entry.data.size(), expected, bytes));
    }
    const std::string actual =
        layoutText(entry.layout->scalarType, entry.layout->sizes, entry.layout->dimOrder);
    return actual == expected
               ? std::nullopt
               : std::optional(fmt::format("is {}, but the program expects {}", actual, expected));
}

std::string_view name(DataVerdict verdict) {
    static constexpr std::array<std::string_view, 5> names{"not needed", "missing", "unverified", "match",
                                                           "mismatch"};
    return names[static_cast<std::size_t>(verdict)];
}

DataCheck checkData(const DataQuestion& question) {
    return DataChecker(question).check();
}

std::string summary(const DataCheck& check, const DataQuestion& question) {
    const std::string stem = core::printable(question.programPath.stem().string());
    switch (check.verdict) {
        case DataVerdict::NotNeeded:
            return {};
        case DataVerdict::Missing:
            return check.found == 0
                       ? fmt::format("{} names are in a tensor data file (.ptd), which was not given",
                                     check.needed)
                       : fmt::format(
                             "{} of {} names are in another tensor data file (.ptd), which was not "
                             "given",
                             check.needed - std::min(check.found, check.needed), check.needed);
        case DataVerdict::Mismatch:
            return "the files do not belong together";
        case DataVerdict::Match:
            return fmt::format("names, sizes and contents match ({})", fmt::join(check.verifiedBy, ", "));
        case DataVerdict::Unverified:
            break;
    }
    if (check.found == 0) {
        return fmt::format("whether {} reads the data is not known, because its payload is not understood",
                           fmt::join(check.unknownBackends, ", "));
    }
    const std::string verified =
        check.verified == 0
            ? "the contents cannot be verified with these files"
            : fmt::format("the contents of {} are verified ({}), those of {} cannot be", check.verified,
                          fmt::join(check.verifiedBy, ", "), check.found - check.verified);
    return fmt::format(
        "{} of {} names and sizes fit; {}. To verify them, compare with the ETRecord (et-inspect info {}{} "
        "{}.etrecord) or run bundled tests (et-inspect verify {}.bpte{})",
        check.found, check.needed, verified, fileName(question.programPath), pathList(question, ""), stem,
        stem, pathList(question, "--data "));
}

}  // namespace et::inspector
