#include "backends/payload_bytes.h"

#include <flatbuffers/flatbuffers.h>
#include <flatbuffers/minireflect.h>

#include <algorithm>
#include <cstring>
#include <set>

namespace et::backends {
namespace {

using flatbuffers::TypeTable;

template <class T>
T load(const std::uint8_t* at) {
    T value{};
    std::memcpy(&value, at, sizeof value);
    return value;
}

/// Adds the objects of a verified flatbuffer, each once: a hostile file may refer to one a million times.
class ObjectWalk {
  public:
    explicit ObjectWalk(ByteCoverage& into) : coverage(into) {}

    void addTable(const std::uint8_t* table, const TypeTable& type) {
        if (!seen.emplace(table, &type).second) {
            return;
        }
        coverage.addTable(*reinterpret_cast<const flatbuffers::Table*>(table));
        const std::uint8_t* before = nullptr;
        for (std::size_t i = 0; i < type.num_elems; ++i) {
            const std::uint8_t* const field = fieldAt(table, i);
            if (field != nullptr) {
                addField(field, type.type_codes[i], refOf(type, type.type_codes[i]), before);
            }
            before = field;
        }
    }

  private:
    static const TypeTable* refOf(const TypeTable& type, const flatbuffers::TypeCode& code) {
        return code.sequence_ref < 0 ? nullptr : type.type_refs[code.sequence_ref]();
    }

    /// Null if the table lacks the field.
    static const std::uint8_t* fieldAt(const std::uint8_t* table, std::size_t index) {
        const std::uint8_t* const vtable = table - load<flatbuffers::soffset_t>(table);
        const auto entry = flatbuffers::FieldIndexToOffset(static_cast<flatbuffers::voffset_t>(index));
        const auto offset = entry < load<flatbuffers::voffset_t>(vtable)
                                ? load<flatbuffers::voffset_t>(vtable + entry)
                                : flatbuffers::voffset_t{0};
        return offset == 0 ? nullptr : table + offset;
    }

    static const std::uint8_t* target(const std::uint8_t* offset) {
        return offset + load<flatbuffers::uoffset_t>(offset);
    }

    /// `before`: the preceding field, which has the kind of a union.
    void addField(const std::uint8_t* field, const flatbuffers::TypeCode& code, const TypeTable* ref,
                  const std::uint8_t* before) {
        const auto type = static_cast<flatbuffers::ElementaryType>(code.base_type);
        if (code.is_repeating == 0) {
            addValue(field, type, ref, before);
            return;
        }
        const std::uint8_t* const vector = target(field);
        const auto size = load<flatbuffers::uoffset_t>(vector);
        const std::size_t width = flatbuffers::InlineSize(type, ref);
        coverage.add(vector, sizeof size + width * size);
        if (!isOffset(type, ref) || !seen.emplace(vector, ref).second) {
            return;
        }
        const std::uint8_t* const kinds = before == nullptr ? nullptr : target(before) + sizeof size;
        for (std::size_t i = 0; i < size; ++i) {
            const std::uint8_t* const element = vector + sizeof size + i * width;
            addValue(element, type, ref, kinds == nullptr ? nullptr : kinds + i);
        }
    }

    static bool isOffset(flatbuffers::ElementaryType type, const TypeTable* ref) {
        const bool isObject = type == flatbuffers::ET_SEQUENCE && ref != nullptr;
        return type == flatbuffers::ET_STRING ||
               (isObject && (ref->st == flatbuffers::ST_TABLE || ref->st == flatbuffers::ST_UNION));
    }

    void addValue(const std::uint8_t* value, flatbuffers::ElementaryType type, const TypeTable* ref,
                  const std::uint8_t* kind) {
        if (!isOffset(type, ref) || load<flatbuffers::uoffset_t>(value) == 0) {
            return;
        }
        if (type == flatbuffers::ET_STRING) {
            addText(target(value));
        } else if (ref->st == flatbuffers::ST_TABLE) {
            addTable(target(value), *ref);
        } else if (kind != nullptr) {
            addUnion(target(value), *ref, *kind);
        }
    }

    void addText(const std::uint8_t* text) {
        coverage.add(text, sizeof(flatbuffers::uoffset_t) + load<flatbuffers::uoffset_t>(text) + 1);
    }

    void addUnion(const std::uint8_t* content, const TypeTable& type, std::uint8_t kind) {
        const auto index = flatbuffers::LookupEnum(kind, type.values, type.num_elems);
        if (index < 0 || static_cast<std::size_t>(index) >= type.num_elems) {
            return;
        }
        const flatbuffers::TypeCode& code = type.type_codes[index];
        const TypeTable* const ref = refOf(type, code);
        if (code.base_type == flatbuffers::ET_STRING) {
            addText(content);
        } else if (ref != nullptr && ref->st == flatbuffers::ST_TABLE) {
            addTable(content, *ref);
        } else if (ref != nullptr && ref->st == flatbuffers::ST_STRUCT) {
            coverage.add(content, flatbuffers::InlineSize(flatbuffers::ET_SEQUENCE, ref));
        }
    }

    ByteCoverage& coverage;
    std::set<std::pair<const std::uint8_t*, const TypeTable*>> seen;  ///< tables, vectors of objects
};

}  // namespace

void ByteCoverage::add(const void* start, std::size_t size) {
    addTo(ranges, start, size);
}

void ByteCoverage::addOpaque(core::Bytes bytes) {
    addTo(opaque, bytes.data(), bytes.size());
}

void ByteCoverage::addTo(Ranges& to, const void* start, std::size_t size) const {
    const auto* const at = static_cast<const std::byte*>(start);
    if (at < payload.data() || at >= payload.data() + payload.size()) {
        return;
    }
    const auto first = static_cast<std::size_t>(at - payload.data());
    to.emplace_back(first, first + std::min(size, payload.size() - first));
}

void ByteCoverage::addFlatbuffer(core::Bytes flatbuffer, std::string_view identifier, const TypeTable& root) {
    const auto* const start = reinterpret_cast<const std::uint8_t*>(flatbuffer.data());
    add(start, sizeof(flatbuffers::uoffset_t) + identifier.size());
    ObjectWalk(*this).addTable(start + load<flatbuffers::uoffset_t>(start), root);
}

void ByteCoverage::addTable(const flatbuffers::Table& table) {
    const auto* const start = reinterpret_cast<const std::uint8_t*>(&table);
    const std::uint8_t* const vtable = start - load<flatbuffers::soffset_t>(start);
    const auto vtableSize = load<flatbuffers::voffset_t>(vtable);
    add(vtable, vtableSize);
    const bool hasSize = vtableSize >= 2 * sizeof(flatbuffers::voffset_t);
    add(start, hasSize ? load<flatbuffers::voffset_t>(vtable + sizeof(flatbuffers::voffset_t))
                       : sizeof(flatbuffers::soffset_t));
}

void ByteCoverage::remove(const std::vector<core::Bytes>& parts) {
    ByteCoverage removed(payload);
    for (const core::Bytes part : parts) {
        removed.add(part.data(), part.size());
    }
    std::ranges::sort(removed.ranges);
    std::ranges::sort(ranges);
    Ranges kept;
    std::size_t at = 0;  ///< all before is decided
    std::size_t next = 0;
    for (const auto& [start, end] : ranges) {
        at = std::max(at, start);
        while (at < end) {
            while (next < removed.ranges.size() && removed.ranges[next].second <= at) {
                ++next;
            }
            const bool isKept = next == removed.ranges.size() || removed.ranges[next].first >= end;
            const std::size_t until = isKept ? end : removed.ranges[next].first;
            if (until > at) {
                kept.emplace_back(at, until);
            }
            at = isKept ? end : removed.ranges[next].second;
        }
    }
    ranges = std::move(kept);
}

void ByteCoverage::addInner(core::Bytes part, const ByteCoverage& inner) {
    const auto addAll = [&](Ranges& to, const Ranges& from) {
        for (const auto& [start, end] : from) {
            if (start < part.size()) {
                addTo(to, part.data() + start, std::min(end, part.size()) - start);
            }
        }
    };
    addAll(ranges, inner.ranges);
    addAll(opaque, inner.opaque);
}

PayloadBytes ByteCoverage::count() const {
    return CountedParts(*this).count(0, payload.size());
}

namespace {

bool isZero(core::Bytes bytes) {
    return std::ranges::all_of(bytes, [](std::byte each) { return each == std::byte{}; });
}

}  // namespace

CountedParts::CountedParts(const ByteCoverage& coverage) : payload(coverage.payload) {
    auto known = coverage.ranges;
    auto opaque = coverage.opaque;
    if (known.empty() && opaque.empty()) {
        opaque.emplace_back(0, payload.size());
    }
    std::ranges::sort(known);
    std::ranges::sort(opaque);
    auto next = opaque.cbegin();
    const auto addGapUntil = [&](std::size_t end) {
        for (; next != opaque.cend() && next->first < end; ++next) {
            addGap(next->first);
            addUntil(std::min(next->second, end), Kind::Opaque);
            if (next->second > end) {
                return;
            }
        }
        addGap(end);
    };
    for (const auto& [start, end] : known) {
        addGapUntil(start);
        addUntil(end, Kind::Known);
    }
    addGapUntil(payload.size());
}

void CountedParts::addUntil(std::size_t end, Kind kind) {
    if (end > at) {
        segments.push_back({.start = at, .kind = kind, .before = counted});
        memberOf(counted, kind) += end - at;
        at = end;
    }
}

void CountedParts::addGap(std::size_t end) {
    if (end > at) {
        addUntil(end, isZero(payload.subspan(at, end - at)) ? Kind::Padding : Kind::Opaque);
    }
}

PayloadBytes CountedParts::count(std::size_t begin, std::size_t end) const {
    const PayloadBytes before = countUntil(begin);
    const PayloadBytes all = countUntil(end);
    return {.known = all.known - before.known,
            .opaque = all.opaque - before.opaque,
            .padding = all.padding - before.padding};
}

PayloadBytes CountedParts::countUntil(std::size_t end) const {
    const auto behind = std::ranges::upper_bound(segments, end, {}, &Segment::start);
    if (behind == segments.begin()) {
        return {};
    }
    const Segment& last = *(behind - 1);
    PayloadBytes bytes = last.before;
    memberOf(bytes, last.kind) += end - last.start;
    return bytes;
}

std::uint64_t& CountedParts::memberOf(PayloadBytes& bytes, Kind kind) {
    return kind == Kind::Known ? bytes.known : kind == Kind::Opaque ? bytes.opaque : bytes.padding;
}

}  // namespace et::backends
