#include "app/studio/panel_export.h"

#include "inspector/format/table.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QBuffer>
#include <QFile>
#include <QFileInfo>
#include <QPainter>
#include <QPixmap>
#include <QSaveFile>
#include <QSvgGenerator>

#include <algorithm>
#include <array>
#include <string_view>

namespace et::studio {

namespace {

using inspector::format::Format;

struct TableFormatTraits {
    std::string_view suffix;
    Format format;
};
constexpr std::array tableFormats{
    TableFormatTraits{".csv", Format::Csv}, TableFormatTraits{".tsv", Format::Tsv},
    TableFormatTraits{".md", Format::Markdown}, TableFormatTraits{".json", Format::Json}};

QByteArray drawing(QWidget& shown) {
    QByteArray content;
    QBuffer buffer(&content);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(shown.logicalDpiX());
    generator.setSize(shown.size());
    generator.setViewBox(shown.rect());
    generator.setTitle(shown.accessibleName());
    QPainter painter(&generator);
    painter.setFont(shown.font());
    shown.render(&painter);
    painter.end();
    return content;
}

QByteArray picture(QWidget& shown) {
    QByteArray content;
    QBuffer buffer(&content);
    buffer.open(QIODevice::WriteOnly);
    shown.grab().save(&buffer, "PNG");
    return content;
}

}  // namespace

QString writeContent(const QString& file, const QByteArray& content) {
    QSaveFile out(file);
    const bool written =
        out.open(QIODevice::WriteOnly) && out.write(content) == content.size() && out.commit();
    return written ? QString() : QStringLiteral("cannot write %1: %2").arg(file, out.errorString());
}

QString writePicture(QWidget& shown, const QString& file) {
    const bool scales = QFileInfo(file).suffix().compare(QLatin1String("svg"), Qt::CaseInsensitive) == 0;
    return writeContent(file, scales ? drawing(shown) : picture(shown));
}

const QAbstractItemView* tableOf(const QWidget& panel) {
    const QAbstractItemView* largest = nullptr;
    const auto area = [](const QWidget& of) { return of.width() * of.height(); };
    for (const QAbstractItemView* const each : panel.findChildren<QAbstractItemView*>()) {
        // A combo box also has a list view, in a separate window.
        if (each->window() != panel.window() || each->visibleRegion().isEmpty() || each->model() == nullptr) {
            continue;
        }
        if (each->hasFocus()) {
            return each;
        }
        largest = largest == nullptr || area(*each) > area(*largest) ? each : largest;
    }
    return largest;
}

Format parseTableFormat(const std::filesystem::path& path) {
    const std::string suffix = path.extension().string();
    const auto* const found = std::ranges::find(tableFormats, suffix, &TableFormatTraits::suffix);
    return found == tableFormats.end() ? Format::Csv : found->format;
}

QString tableFilter() {
    return QStringLiteral("CSV (*.csv);;TSV (*.tsv);;Markdown (*.md);;JSON (*.json)");
}

QString writeTable(const inspector::format::Table& table, const QString& file) {
    return writeContent(file, QByteArray::fromStdString(inspector::format::render(
                                  table, parseTableFormat(QFile::encodeName(file).toStdString()))));
}

}  // namespace et::studio
