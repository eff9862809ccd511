#include "app/studio/view_link.h"

#include "app/studio/panels.h"
#include "app/studio/perspectives.h"

#include <QFile>
#include <QStringList>
#include <QUrl>

#include <algorithm>
#include <array>
#include <concepts>
#include <system_error>
#include <utility>

namespace et::studio {

namespace {

using core::ErrorCode;
using core::Result;

std::unexpected<core::Error> wrong(const QString& name, const QString& value) {
    constexpr qsizetype shown = 40;
    return core::fail(
        ErrorCode::InvalidArgument,
        QStringLiteral("the link has an invalid part: '%1=%2'").arg(name, value.left(shown)).toStdString());
}

template <std::integral T>
std::optional<T> numberOf(QStringView text) {
    bool known = false;
    const auto number = std::is_signed_v<T> ? static_cast<T>(text.toLongLong(&known))
                                            : static_cast<T>(text.toULongLong(&known));
    const bool same = std::is_signed_v<T> ? QString::number(static_cast<qlonglong>(number)) == text
                                          : QString::number(static_cast<qulonglong>(number)) == text;
    return known && same ? std::optional(number) : std::nullopt;
}

/// Parses two numbers around a separator.
template <std::integral T>
std::optional<std::pair<T, T>> pairOf(QStringView text, QChar sign) {
    const qsizetype at = text.indexOf(sign);
    const auto first = at < 0 ? std::nullopt : numberOf<T>(text.first(at));
    const auto second = at < 0 ? std::nullopt : numberOf<T>(text.sliced(at + 1));
    return first && second ? std::optional(std::pair(*first, *second)) : std::nullopt;
}

/// One part of a link, with its formatter and parser; the parser returns false on errors.
struct PartTraits {
    const char* name;
    QString (*write)(const ViewLink&);
    bool (*read)(const QString&, ViewLink&);
};

visualizers::OperatorRef& operatorOf(ViewLink& link) {
    auto& instruction = link.choice.instruction;
    return instruction ? *instruction : instruction.emplace();
}

bool readPerspective(const QString& text, ViewLink& link) {
    link.perspective = text.toStdString();
    return findPerspective(link.perspective) != nullptr;
}

bool readPanel(const QString& text, ViewLink& link) {
    link.panel = text.toStdString();
    return std::ranges::contains(panels(), std::string_view(link.panel), &PanelInfo::id);
}

bool readEvent(const QString& text, ViewLink& link) {
    const auto place = pairOf<std::size_t>(text, u':');
    link.choice.event =
        visualizers::EventRef{.block = place ? place->first : 0, .event = place ? place->second : 0};
    return place.has_value();
}

bool readInstruction(const QString& text, ViewLink& link) {
    const auto number = numberOf<std::int32_t>(text);
    operatorOf(link).instruction = core::InstructionId(number.value_or(-1));
    return number.has_value();
}

bool readHandles(const QString& text, ViewLink& link) {
    for (const QString& each : text.split(u'+')) {
        const auto handle = numberOf<std::int64_t>(each);
        if (!handle) {
            return false;
        }
        link.choice.handles.emplace_back(*handle);
    }
    std::ranges::sort(link.choice.handles);
    return true;
}

QString writeHandles(const ViewLink& link) {
    QStringList numbers;
    for (const core::DebugHandle handle : link.choice.handles) {
        numbers.append(QString::number(handle.value));
    }
    return numbers.join(u'+');
}

bool readCase(const QString& text, ViewLink& link) {
    const auto place = pairOf<std::size_t>(text, u':');
    link.choice.testCase =
        visualizers::CaseRef{.suite = place ? place->first : 0, .testCase = place ? place->second : 0};
    return place.has_value();
}

bool readRange(const QString& text, ViewLink& link) {
    const auto ticks = pairOf<std::uint64_t>(text, u'-');
    link.choice.range =
        visualizers::TickRange{.first = ticks ? ticks->first : 0, .last = ticks ? ticks->second : 0};
    return ticks && ticks->first <= ticks->second;
}

bool readView(const QString& text, ViewLink& link) {
    const auto decoded = QByteArray::fromBase64Encoding(
        text.toLatin1(), QByteArray::Base64UrlEncoding | QByteArray::AbortOnBase64DecodingErrors);
    link.view = decoded ? *decoded : QByteArray();
    return static_cast<bool>(decoded);
}

QString writePlace(std::size_t first, std::size_t second) {
    return QStringLiteral("%1:%2").arg(first).arg(second);
}

constexpr std::array partTable{
    PartTraits{"perspective", [](const ViewLink& link) { return QString::fromStdString(link.perspective); },
               readPerspective},
    PartTraits{"panel", [](const ViewLink& link) { return QString::fromStdString(link.panel); }, readPanel},
    PartTraits{"event",
               [](const ViewLink& link) {
                   const auto& event = link.choice.event;
                   return event ? writePlace(event->block, event->event) : QString();
               },
               readEvent},
    PartTraits{"method",
               [](const ViewLink& link) {
                   const auto& instruction = link.choice.instruction;
                   return instruction ? QString::fromStdString(instruction->method) : QString();
               },
               [](const QString& text, ViewLink& link) {
                   operatorOf(link).method = text.toStdString();
                   return true;
               }},
    PartTraits{"instruction",
               [](const ViewLink& link) {
                   const auto& instruction = link.choice.instruction;
                   return instruction ? QString::number(instruction->instruction.value) : QString();
               },
               readInstruction},
    PartTraits{"inside",
               [](const ViewLink& link) {
                   const auto& instruction = link.choice.instruction;
                   return instruction ? QString::fromStdString(instruction->delegated) : QString();
               },
               [](const QString& text, ViewLink& link) {
                   operatorOf(link).delegated = text.toStdString();
                   return true;
               }},
    PartTraits{"handles-of", [](const ViewLink& link) { return QString::fromStdString(link.choice.method); },
               [](const QString& text, ViewLink& link) {
                   link.choice.method = text.toStdString();
                   return true;
               }},
    PartTraits{"handles", writeHandles, readHandles},
    PartTraits{"case",
               [](const ViewLink& link) {
                   const auto& testCase = link.choice.testCase;
                   return testCase ? writePlace(testCase->suite, testCase->testCase) : QString();
               },
               readCase},
    PartTraits{"range",
               [](const ViewLink& link) {
                   const auto& range = link.choice.range;
                   return range ? QStringLiteral("%1-%2").arg(range->first).arg(range->last) : QString();
               },
               readRange},
    PartTraits{"inputs",
               [](const ViewLink& link) {
                   return link.gapSet.value_or(0) > 0 ? QString::number(*link.gapSet) : QString();
               },
               [](const QString& text, ViewLink& link) {
                   link.gapSet = numberOf<std::size_t>(text);
                   return link.gapSet.has_value();
               }},
    PartTraits{"view",
               [](const ViewLink& link) {
                   return QString::fromLatin1(
                       link.view.toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals));
               },
               readView},
};

}  // namespace

QString ViewLink::fragment() const {
    QStringList parts;
    for (const PartTraits& part : partTable) {
        if (const QString value = part.write(*this); !value.isEmpty()) {
            // Keeps the separators of our own numbers readable.
            parts.append(QStringLiteral("%1=%2").arg(
                QLatin1String(part.name),
                QString::fromLatin1(QUrl::toPercentEncoding(value, QByteArrayLiteral(":+")))));
        }
    }
    return parts.join(u',');
}

Result<ViewLink> ViewLink::parse(QStringView fragment) {
    if (fragment.size() > maxLength) {
        return core::fail(ErrorCode::Limit, "the link is too long");
    }
    ViewLink link;
    for (const QStringView part : fragment.split(u',', Qt::SkipEmptyParts)) {
        const qsizetype equals = part.indexOf(u'=');
        const QString name = (equals < 0 ? part : part.first(equals)).toString();
        const QString value =
            equals < 0 ? QString() : QUrl::fromPercentEncoding(part.sliced(equals + 1).toUtf8());
        const auto* const traits = std::ranges::find_if(
            partTable, [&](const PartTraits& each) { return name == QLatin1String(each.name); });
        if (equals < 0 || traits == partTable.end() || !traits->read(value, link)) {
            return wrong(name, value);
        }
    }
    return link;
}

LinkedFile splitLink(const std::filesystem::path& path) {
    std::error_code ignored;
    const QString name = QFile::decodeName(path.c_str());
    const qsizetype sign = name.indexOf(u'#');
    if (sign <= 0 || std::filesystem::exists(path, ignored)) {
        return {.file = path};
    }
    return {.file = QFile::encodeName(name.first(sign)).toStdString(), .fragment = name.sliced(sign + 1)};
}

}  // namespace et::studio
