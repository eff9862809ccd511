#pragma once

#include "visualizers/selection.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace et::visualizers {

/// One line of the details pane.
struct Detail {
    QString label;  ///< may be empty: the text stands for itself
    QString text;
    bool code = false;  ///< lines of source or raw numbers: fixed width, line breaks kept
};

struct DetailSection {
    QString title;
    std::vector<Detail> info;  ///< never empty
};

/// Everything that is known of one event, in reading order: what a person sees of it, before any layout.
struct EventDescription {
    QString title;                        ///< the event's name
    QString subtitle;                     ///< block, method, number of samples
    QStringList warnings;                 ///< what to know before trusting the numbers
    std::vector<DetailSection> sections;  ///< without those that have nothing to say
};

/// `event` must be one of `blocks`. Long lists (raw values, debug values, stack traces, metadata) are cut,
/// and say how much is left out.
[[nodiscard]] EventDescription describeEvent(const inspector::EventBlocks& blocks, EventRef event);

/// Rich text for a QTextBrowser. All texts are escaped; colours come from the palette of the widget.
[[nodiscard]] QString toHtml(const EventDescription& description);

}  // namespace et::visualizers
