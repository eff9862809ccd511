// Writes a trace and reads it back, and asks for a record that is not there: the libraries that somebody
// else's project finds with find_package(et-inspect) compile, link and work.
#include "etdump/trace.h"
#include "etdump/writer.h"
#include "etrecord/record.h"

#include <cstdio>
#include <fstream>

namespace {

int failed(const et::core::Error& error) {
    std::fprintf(stderr, "%s\n", error.toString().c_str());
    return 1;
}

}  // namespace

int main() {
    et::etdump::TraceWriter writer;
    writer.beginRun("Execute");
    writer.profile("OPERATOR_CALL", {.instruction = 3, .chain = 0}, 1'000, 4'500);
    const auto bytes = writer.finish();
    if (!bytes) {
        return failed(bytes.error());
    }
    std::ofstream("consumer.etdp", std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes->data()), static_cast<std::streamsize>(bytes->size()));

    const auto trace = et::etdump::Trace::open("consumer.etdp");
    if (!trace) {
        return failed(trace.error());
    }
    const auto& events = (*trace)->events();
    if ((*trace)->eventCount() != 1 || (*trace)->text(events.name[0]) != "OPERATOR_CALL" ||
        et::etdump::elapsedTicks(events.start[0], events.end[0]) != 3'500u) {
        std::fputs("the trace reads back differently\n", stderr);
        return 1;
    }

    const auto record = et::etrecord::Record::open("no_such.etrecord");
    if (record || record.error().code != et::core::ErrorCode::Io) {
        std::fputs("a missing record was not refused\n", stderr);
        return 1;
    }
    std::puts("ok");
}
