// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "compare_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "params/text.h"
#include "progress.h"
#include "scene/text_file.h"

namespace repose {
namespace {

constexpr double kWidth = 640, kHeight = 240, kLeft = 64, kBottom = 28, kTop = 10, kRight = 10;  // [pixels]

constexpr const char* kStyle =
    "body{background:#16181b;color:#d8dadd;font:15px/1.45 system-ui,sans-serif;margin:24px;max-width:1400px}"
    "h1{font-size:22px}h2{font-size:16px;margin:28px 0 8px}"
    ".runs{display:grid;grid-template-columns:repeat(auto-fill,minmax(300px,1fr));gap:16px}"
    ".run{background:#1f2226;border-radius:6px;padding:10px;border-left:5px solid}"
    ".run img{width:100%;border-radius:4px;display:block;margin-bottom:8px}"
    ".none{aspect-ratio:16/"
    "9;background:#2a2d32;border-radius:4px;display:grid;place-items:center;margin-bottom:8px}"
    ".bad{color:#ff9d8a}.charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(560px,1fr));gap:"
    "16px}"
    "svg{background:#1f2226;border-radius:6px;width:100%}svg text{fill:#9aa0a6;font-size:12px}"
    "polyline{fill:none;stroke-width:1.6}polyline:hover{stroke-width:4}"
    "table{border-collapse:collapse}td,th{padding:3px 14px 3px "
    "0;text-align:right}td:first-child,th:first-child{"
    "text-align:left}";

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text)
    safe += c == '&'   ? "&amp;"
            : c == '<' ? "&lt;"
            : c == '>' ? "&gt;"
            : c == '"' ? "&quot;"
                       : std::string(1, c);
  return safe;
}

std::string base64(const std::string& bytes) {
  constexpr const char* kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (at + k < bytes.size() ? static_cast<unsigned char>(bytes[at + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      text += at + k < bytes.size() + 1 ? kDigits[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

// Hues that are far from each other for neighbours too.
std::string colourOf(std::size_t run) {
  return fmt::format("hsl({:.0f} 70% 62%)", std::fmod(40 + 137.508 * static_cast<double>(run), 360));
}

struct Curve {
  const char* title;
  double LoggedFrame::*value;
};
constexpr Curve kCurves[] = {{"Energy [J]", &LoggedFrame::energy},
                             {"Largest penetration [m]", &LoggedFrame::penetration},
                             {"Residual", &LoggedFrame::residual},
                             {"Time a frame [s]", &LoggedFrame::seconds}};

// Least and greatest value of all runs, a little apart when they are the same.
struct Span {
  double lo = INFINITY, hi = -INFINITY;
  void add(double value) {
    if (!std::isfinite(value)) return;
    lo = std::min(lo, value);
    hi = std::max(hi, value);
  }
  void open() {
    if (!(lo <= hi)) lo = 0, hi = 1;
    if (lo == hi) hi += std::abs(hi) > 0 ? std::abs(hi) * 1e-3 : 1;
  }
  double share(double value) const { return (value - lo) / (hi - lo); }
};

std::string chart(const Curve& curve, const std::vector<ComparedRun>& runs) {
  Span x, y;
  for (const ComparedRun& run : runs)
    for (std::size_t k = 0; k < run.frames.size(); ++k)
      x.add(run.numbers[k]), y.add(run.frames[k].*curve.value);
  x.open(), y.open();
  const double wide = kWidth - kLeft - kRight, high = kHeight - kTop - kBottom;
  std::string svg =
      fmt::format("<figure><h2>{}</h2><svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n",
                  curve.title, kWidth, kHeight, curve.title);
  for (int k = 0; k <= 4; ++k) {
    const double at = kTop + high * (1 - k / 4.0), value = y.lo + (y.hi - y.lo) * k / 4.0;
    svg += fmt::format(
        "<line x1=\"{}\" y1=\"{:.1f}\" x2=\"{}\" y2=\"{:.1f}\" stroke=\"#33373c\"/>"
        "<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{:.3g}</text>\n",
        kLeft, at, kWidth - kRight, at, kLeft - 6, at + 4, value);
  }
  for (const double frame : {x.lo, x.hi})
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"{}\">{:.0f}</text>\n",
                       kLeft + wide * x.share(frame), kHeight - 8, frame == x.lo ? "start" : "end", frame);
  for (std::size_t r = 0; r < runs.size(); ++r) {
    svg += fmt::format("<polyline stroke=\"{}\" points=\"", colourOf(r));
    for (std::size_t k = 0; k < runs[r].frames.size(); ++k)
      if (const double value = runs[r].frames[k].*curve.value; std::isfinite(value))
        svg += fmt::format("{:.1f},{:.1f} ", kLeft + wide * x.share(runs[r].numbers[k]),
                           kTop + high * (1 - y.share(value)));
    svg += fmt::format("\"><title>{}</title></polyline>\n", escaped(runs[r].title));
  }
  return svg + "</svg></figure>\n";
}

std::string card(const ComparedRun& run, std::size_t number) {
  const bool done = run.outcome == "done";
  std::string html = fmt::format("<div class=\"run\" style=\"border-color:{}\">", colourOf(number));
  html += run.picture.empty() ? "<div class=\"none\">no picture</div>"
                              : fmt::format("<img alt=\"wedge {}\" src=\"data:image/png;base64,{}\">", number,
                                            base64(run.picture));
  html += fmt::format("<b>{:03}</b> {}<br><span{}>{}</span>", number, escaped(run.title),
                      done ? "" : " class=\"bad\"", escaped(run.outcome));
  if (!done && !run.message.empty()) html += "<br>" + escaped(run.message);
  return html + "</div>\n";
}

std::string row(const ComparedRun& run, std::size_t number) {
  double seconds = 0, deepest = 0, residual = 0;
  for (const LoggedFrame& frame : run.frames) {
    seconds += frame.seconds;
    deepest = std::max(deepest, frame.penetration);
    residual = std::max(residual, frame.residual);
  }
  return fmt::format(
      "<tr><td>{:03} "
      "{}</td><td>{}</td><td>{}</td><td>{:.3g}</td><td>{:.3g}</td><td>{:.3g}</td><td>{}</td></tr>\n",
      number, escaped(run.title), escaped(run.outcome), run.frames.size(),
      run.frames.empty() ? 0 : run.frames.back().energy, deepest, residual, durationText(seconds));
}

}  // namespace

Status readLog(const std::string& path, ComparedRun& run) {
  const Result<std::string> text = readTextFile(path);
  if (!text) return text.status();
  std::map<int, LoggedFrame> frames;
  for (const std::string& line : splitText(*text, '\n')) {
    const auto json = nlohmann::json::parse(line, nullptr, false);  // a killed run may leave half a line
    if (!json.is_object()) continue;
    const auto number = [&json](const char* name) {
      return json.contains(name) && json[name].is_number() ? json[name].get<double>() : 0;
    };
    if (json.contains("outcome") && json["outcome"].is_string()) {
      run.outcome = json["outcome"].get<std::string>();
      run.message =
          json.contains("message") && json["message"].is_string() ? json["message"].get<std::string>() : "";
    } else if (json.contains("frame")) {
      LoggedFrame& frame = frames[static_cast<int>(number("frame"))];
      frame = {number("energy"), number("max_penetration"), number("residual"), 0};
      if (json.contains("seconds") && json["seconds"].is_object())
        frame.seconds = json["seconds"].value("total", 0.0);
    }
  }
  for (const auto& [number, frame] : frames) run.numbers.push_back(number), run.frames.push_back(frame);
  return {};
}

std::string comparePage(const std::string& title, const std::vector<ComparedRun>& runs) {
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta "
      "charset=\"utf-8\"><title>{0}</title><style>{1}</style></head>\n"
      "<body><h1>{0}</h1>\n<div class=\"runs\">\n",
      escaped(title), kStyle);
  for (std::size_t k = 0; k < runs.size(); ++k) html += card(runs[k], k);
  html += "</div>\n<div class=\"charts\">\n";
  for (const Curve& curve : kCurves) html += chart(curve, runs);
  html +=
      "</div>\n<h2>Figures</h2><table><tr><th>wedge</th><th>outcome</th><th>frames</th><th>last energy "
      "[J]</th>"
      "<th>deepest [m]</th><th>largest residual</th><th>time</th></tr>\n";
  for (std::size_t k = 0; k < runs.size(); ++k) html += row(runs[k], k);
  return html + "</table></body></html>\n";
}

}  // namespace repose
