#include "etdump/trace.h"

#include "etdump/detail/trace_builder.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace et::etdump {

struct Trace::Impl : detail::TraceData {};

NameId Run::allocatorName(std::uint64_t allocatorId) const {
    // Id 0 wraps around to the largest index, which no run has.
    const std::uint64_t index = allocatorId - 1;
    return index < allocators.size() ? allocators[index] : noName;
}

core::Result<std::shared_ptr<const Trace>> Trace::open(const std::filesystem::path& path) {
    ET_ASSIGN(std::shared_ptr<const core::MappedFile> file, core::MappedFile::open(path));
    return parse(std::move(file));
}

core::Result<std::shared_ptr<const Trace>> Trace::parse(std::shared_ptr<const core::MappedFile> file) {
    auto data = detail::buildTrace(file);
    if (!data) {
        return std::unexpected(std::move(data).error().in(file->name()));
    }
    return std::shared_ptr<const Trace>(new Trace(std::make_unique<Impl>(Impl{std::move(*data)})));
}

Trace::Trace(std::unique_ptr<Impl> data) : impl(std::move(data)) {
}
Trace::~Trace() = default;

std::uint32_t Trace::version() const {
    return impl->version;
}

const core::MappedFile& Trace::file() const {
    return *impl->file;
}

std::span<const Run> Trace::runs() const {
    return impl->runs;
}

const Run& Trace::runOf(EventIndex event) const {
    return *(std::ranges::upper_bound(impl->runs, event, {}, &Run::firstEvent) - 1);
}

std::size_t Trace::eventCount() const {
    return impl->events.kind.size();
}

const EventColumns& Trace::events() const {
    return impl->events;
}

std::string_view Trace::text(NameId id) const {
    return id.value < impl->names.size() ? impl->names[id.value] : std::string_view();
}

std::size_t Trace::nameCount() const {
    return impl->names.size();
}

core::Bytes Trace::metadata(EventIndex event) const {
    const auto found = std::ranges::lower_bound(impl->metadata, event, {}, &detail::EventMetadata::event);
    return found != impl->metadata.end() && found->event == event ? found->bytes : core::Bytes();
}

const DebugValue& Trace::debugValue(EventIndex event) const {
    return impl->debugValues[impl->events.start[event]];
}

std::optional<std::uint64_t> elapsedTicks(std::uint64_t start, std::uint64_t end) {
    if (end >= start) {
        return end - start;
    }
    if (start > std::numeric_limits<std::uint32_t>::max()) {
        return std::nullopt;
    }
    return end + (std::uint64_t{1} << 32) - start;
}

}  // namespace et::etdump
