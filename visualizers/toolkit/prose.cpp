#include "visualizers/toolkit/prose.h"

#include <QRegularExpression>

namespace et::visualizers {

namespace {

const QRegularExpression& codeInText() {
    static const QRegularExpression found(QStringLiteral("`([^`]*)`"));
    return found;
}

}  // namespace

QString proseHtml(const QString& text) {
    return text.toHtmlEscaped().replace(codeInText(), QStringLiteral("<code>\\1</code>"));
}

QString prosePlain(const QString& text) {
    return QString(text).replace(codeInText(), QStringLiteral("\\1"));
}

}  // namespace et::visualizers
