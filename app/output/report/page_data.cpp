#include "app/output/report/page_data.h"

#include "app/output/report/html.h"
#include "app/output/report/page_graph.h"
#include "app/output/report/page_texts.h"
#include "app/output/report/page_trace.h"
#include "runtime/core/json_writer.h"

#include <string_view>

namespace et::output {

std::string pageData(const inspector::Session& session, const PageLimits& limits) {
    if (session.blocks == nullptr && session.program == nullptr && session.record == nullptr) {
        return {};
    }
    core::JsonWriter out;
    PageTexts texts;
    out.beginObject();
    out.member("version", [&] { out.integer(std::uint64_t{1}); });
    out.member("traces", [&] {
        out.beginArray();
        const std::size_t share = limits.slices / (1 + session.others.size());
        std::size_t first = 0;
        if (session.blocks != nullptr) {
            first += writePageTrace(out, texts, *session.blocks, session.files.trace.filename().string(),
                                    first, share);
        }
        for (const inspector::OtherTrace& other : session.others) {
            first += writePageTrace(out, texts, *other.blocks, other.files.trace.filename().string(), first,
                                    share);
        }
        out.endArray();
    });
    out.member("graph", [&] { writePageGraph(out, texts, session, limits.nodes); });
    out.member("texts", [&] { texts.write(out); });
    out.endObject();
    return withoutMarkup(out.take());
}

}  // namespace et::output
