#include "inspector/external_data/recorded_weights.h"

#include "runtime/core/scalar_type.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

namespace et::inspector {
namespace {

using core::Bytes;
using etrecord::TorchArchive;

constexpr std::uint64_t maxTensorBytes = std::uint64_t{1} << 40U;
/// Compilers align each weight of a blob to at most this.
constexpr std::uint64_t blobAlignment = 64;
/// Length of the start of a tensor that is searched in a blob.
constexpr std::size_t headBytes = 16;

std::uint64_t mixed(std::uint64_t number) {
    // The finalizer of MurmurHash3, which maps 0 to 0.
    number = (number ^ (number >> 33U)) * 0xff51afd7ed558ccdU;
    number = (number ^ (number >> 33U)) * 0xc4ceb9fe1a85ec53U;
    return number ^ (number >> 33U);
}

template <class Word>
std::uint64_t sumOfWords(Bytes data) {
    std::uint64_t sum = 0;
    for (std::size_t at = 0; at + sizeof(Word) <= data.size(); at += sizeof(Word)) {
        Word word;
        std::memcpy(&word, data.data() + at, sizeof word);
        sum += mixed(word);
    }
    return sum;
}

/// A number that depends on the elements, but not on their order; zeros add nothing.
std::uint64_t sumOfElements(Bytes data, std::size_t elementBytes) {
    switch (elementBytes) {
        case 2:
            return sumOfWords<std::uint16_t>(data);
        case 4:
            return sumOfWords<std::uint32_t>(data);
        case 8:
            return sumOfWords<std::uint64_t>(data);
        default:
            return sumOfWords<std::uint8_t>(data);
    }
}

std::size_t elementBytesOf(const etrecord::TorchTensor& tensor) {
    return std::max<std::size_t>(core::elementBytes(static_cast<core::ScalarType>(tensor.scalarType)), 1);
}

/// Delegates may put a prefix before the name, and a slash.
bool isNameOf(const etrecord::TorchTensor& tensor, std::string_view name) {
    return name.ends_with(tensor.name) &&
           (name.size() == tensor.name.size() || name[name.size() - tensor.name.size() - 1] == '/');
}

bool isWeightArchive(std::string_view name) {
    return name.ends_with("_state_dict") || name.ends_with("_constants");
}

/// "edge_dialect_exported_program/forward" for both of its archives.
std::string_view graphOf(std::string_view archive) {
    for (const std::string_view ending : {"_state_dict", "_constants"}) {
        if (archive.ends_with(ending)) {
            archive.remove_suffix(ending.size());
        }
    }
    return archive;
}

bool isUniform(Bytes data) {
    return std::ranges::all_of(data, [&](std::byte each) { return each == data.front(); });
}

using Head = std::array<std::byte, headBytes>;
struct HeadHash {
    std::size_t operator()(const Head& head) const {
        const auto halves = std::bit_cast<std::array<std::uint64_t, 2>>(head);
        return static_cast<std::size_t>(mixed(halves[0] + 3 * halves[1]));
    }
};

Head headAt(Bytes data, std::size_t at) {
    Head head;
    std::memcpy(head.data(), data.data() + at, headBytes);
    return head;
}

/// Searches tensors in a blob at offsets that are multiples of 4.
class BlobSearch {
  public:
    void add(Bytes tensor) {
        if (tensor.size() >= headBytes && !isUniform(tensor)) {
            wanted[headAt(tensor, 0)].push_back({.data = tensor, .isFound = false});
            ++searchedCount;
        }
    }

    /// Returns how many are in the blob.
    std::size_t count(Bytes blob) {
        constexpr std::size_t step = 4;
        std::size_t found = 0;
        for (std::size_t at = 0; at + headBytes <= blob.size(); at += step) {
            const auto candidates = wanted.find(headAt(blob, at));
            if (candidates == wanted.end()) {
                continue;
            }
            for (Wanted& each : candidates->second) {
                const bool fits = !each.isFound && each.data.size() <= blob.size() - at;
                if (fits && std::memcmp(each.data.data(), blob.data() + at, each.data.size()) == 0) {
                    each.isFound = true;
                    ++found;
                }
            }
        }
        return found;
    }
    [[nodiscard]] std::size_t searched() const { return searchedCount; }

  private:
    struct Wanted {
        Bytes data;
        bool isFound;
    };
    std::unordered_map<Head, std::vector<Wanted>, HeadHash> wanted;
    std::size_t searchedCount = 0;
};

/// All weights of a graph, compared with a blob.
class GraphBlob {
  public:
    explicit GraphBlob(const std::vector<TorchArchive>& archives) {
        for (const TorchArchive& archive : archives) {
            for (const etrecord::TorchTensor& tensor : archive.tensors()) {
                add(archive, tensor);
            }
        }
    }

    [[nodiscard]] RecordVerdict compare(Bytes blob) {
        if (!isReadable || bytes == 0 || bytes > blob.size() ||
            blob.size() - bytes > blobAlignment * (owners.size() + 1)) {
            return RecordVerdict::Unknown;
        }
        if (sumOfElements(blob, 1) == sum) {
            return RecordVerdict::Same;
        }
        return search.searched() > search.count(blob) ? RecordVerdict::Different : RecordVerdict::Unknown;
    }

  private:
    void add(const TorchArchive& archive, const etrecord::TorchTensor& tensor) {
        auto elements = archive.load(tensor, maxTensorBytes);
        if (!elements) {
            isReadable = false;
            return;
        }
        // Views of one storage are packed once.
        const bool isKnown = std::ranges::any_of(owners, [&](const TorchArchive::Elements& each) {
            return each.bytes.data() == elements->bytes.data() && !each.bytes.empty();
        });
        if (isKnown) {
            return;
        }
        bytes += elements->bytes.size();
        sum += sumOfElements(elements->bytes, 1);
        search.add(elements->bytes);
        owners.push_back(*std::move(elements));
    }

    std::vector<TorchArchive::Elements> owners;
    BlobSearch search;
    std::uint64_t bytes = 0;
    std::uint64_t sum = 0;
    bool isReadable = true;
};

}  // namespace

RecordedWeights::RecordedWeights(const etrecord::Record& from) : record(from) {
    std::map<std::string_view, std::size_t> known;
    for (const std::string& name : record.archiveNames()) {
        if (!isWeightArchive(name)) {
            continue;
        }
        const auto [graph, isNew] = known.emplace(graphOf(name), graphs.size());
        if (isNew) {
            graphs.emplace_back();
        }
        if (auto archive = record.archive(name)) {
            graphs[graph->second].archives.push_back(*std::move(archive));
        }
    }
}

RecordVerdict RecordedWeights::compare(std::string_view name, Bytes data) const {
    RecordVerdict verdict = RecordVerdict::Unknown;
    for (const Graph& graph : graphs) {
        for (const TorchArchive& archive : graph.archives) {
            for (const etrecord::TorchTensor& tensor : archive.tensors()) {
                if (!isNameOf(tensor, name) || tensor.bytes < 0 || tensor.storageKey.empty() ||
                    static_cast<std::uint64_t>(tensor.bytes) != data.size()) {
                    continue;
                }
                const auto elements = archive.load(tensor, maxTensorBytes);
                if (!elements) {
                    continue;
                }
                const std::size_t width = elementBytesOf(tensor);
                if (sumOfElements(elements->bytes, width) == sumOfElements(data, width)) {
                    return RecordVerdict::Same;
                }
                verdict = RecordVerdict::Different;
            }
        }
    }
    return verdict;
}

RecordVerdict RecordedWeights::compareBlob(Bytes blob) const {
    RecordVerdict verdict = RecordVerdict::Unknown;
    for (const Graph& graph : graphs) {
        const RecordVerdict one = GraphBlob(graph.archives).compare(blob);
        if (one == RecordVerdict::Same) {
            return one;
        }
        verdict = one == RecordVerdict::Different ? one : verdict;
    }
    return verdict;
}

}  // namespace et::inspector
