/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Made by names.py for xgettext; nothing includes it. */
/* clang-format off */
/* a preset of plug-in-isolux-clahe */
N_("Default")
/* a preset of plug-in-isolux-clahe */
N_("Subtle")
/* a preset of plug-in-isolux-clahe */
N_("Strong")
/* a preset of plug-in-isolux-clahe */
N_("CT")
/* a preset of plug-in-isolux-clahe */
N_("Chest X-ray")
/* a preset of plug-in-isolux-clahe */
N_("Microscopy")
/* a preset of plug-in-isolux-equalize */
N_("Photo, gentle")
/* a preset of plug-in-isolux-hog */
N_("Pedestrians")
/* a preset of plug-in-isolux-hog */
N_("Coarse texture")
/* a preset of plug-in-isolux-lbp */
N_("Any rotation")
/* a preset of plug-in-isolux-window */
N_("Brain")
/* a preset of plug-in-isolux-window */
N_("Subdural")
/* a preset of plug-in-isolux-window */
N_("Stroke")
/* a preset of plug-in-isolux-window */
N_("Abdomen")
/* a preset of plug-in-isolux-window */
N_("Liver")
/* a preset of plug-in-isolux-window */
N_("Lung")
/* a preset of plug-in-isolux-window */
N_("Mediastinum")
/* a preset of plug-in-isolux-window */
N_("Bone")
/* a preset of plug-in-isolux-window */
N_("Angiography")
/* a preset of plug-in-isolux-window */
N_("MR, automatic")
/* a preset of plug-in-isolux-window */
N_("X-ray, automatic")
/* a preset of plug-in-isolux-window */
N_("Full range")
